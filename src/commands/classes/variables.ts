import type { ShellAssignment } from '#commands/shell-words';

/** Programs read these as a mere setting: how much to say, in which language, for which environment. */
const SETTINGS =
  /^(CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|TERM|TZ|LANG|LANGUAGE|LC_[A-Z]+|DEBUG|VERBOSE|LOG_LEVEL|RUST_LOG|RUST_BACKTRACE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|RAILS_ENV|RACK_ENV|APP_ENV|MIX_ENV|DJANGO_SETTINGS_MODULE|TEST_ENV)$/;

/** Shells, loaders, interpreters and git run or load what these name. */
const LOADERS =
  /^(PATH|CDPATH|IFS|ENV|SHELL|HOME|TMPDIR|TEMP|TMP|PS\d|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|BROWSER|CC|CXX|LD|AR|AS|MAKE|MAKEFLAGS|MAKEFILES|CLASSPATH|BASH.*|SHELLOPTS|GLOBIGNORE|POSIXLY_CORRECT|HIST.*|READLINE.*|INPUTRC|LD_.*|DYLD_.*|GIT_.*|SSH_.*|GCONV_PATH|LOCPATH|NLSPATH|PYTHON.*|PERL.*|RUBY.*|NODE_.*|NPM_.*|npm_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|LUA_.*|GUILE_.*|PHP.*|JAVA_.*|JDK_.*|_JAVA_.*|MAVEN_.*|GRADLE_.*|GO.*|CARGO.*|RUST.*|CMAKE_.*|AWK.*|LESS.*|MAN.*|XDG_.*|.*_?(PROXY|proxy)|.*(EDITOR|PAGER|OPTIONS|OPTS|FLAGS|COMMAND|CMD|SHELL|EXEC|WRAPPER|PRELOAD|PLUGIN|STARTUP|RC|CONFIG|PATH|HOME|DIR|BIN|URL|REGISTRY|TOKEN|KEY))$/;

/** What such a variable holds is run as a script, by a shell, by git or by a pager. */
const PROGRAMS = /(^|_)(PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|COMMAND|EXTERNAL_DIFF)$|^LESS(OPEN|CLOSE)$/;

/** Whether a variable of that name before a command says what that command runs. */
export function namesProgram(name: string): boolean {
  return PROGRAMS.test(name);
}

/** A literal value for a variable that no program takes for a program. */
export function isSetting({ name, values }: ShellAssignment): boolean {
  return SETTINGS.test(name) && isOneLiteral(values) && !isPlaceOnDisk(name, values?.[0]?.text ?? '');
}

/** Of a language or time zone files are loaded, and with such a value from anywhere. */
function isPlaceOnDisk(name: string, value: string): boolean {
  return /^(LANG|LANGUAGE|LC_[A-Z]+|TERM|TZ)$/.test(name) && /^:?\/|\.\./.test(value);
}

/** Of such a variable nobody knows whether it makes a program load or run something else. */
export function isLoader({ name, values }: ShellAssignment): boolean {
  return (
    !isOneLiteral(values) ||
    (LOADERS.test(name) && !SETTINGS.test(name)) ||
    isPlaceOnDisk(name, values?.[0]?.text ?? '')
  );
}

/** `FOO=1`, as a rule would write it; only the name where the value isn't literal. */
export function variableWords({ name, values }: ShellAssignment): string {
  const [value] = values ?? [];
  return isOneLiteral(values) && value !== undefined ? `${name}=${value.text}` : name;
}

function isOneLiteral(values: ShellAssignment['values']): boolean {
  return values?.length === 1 && values[0]?.literal === true;
}
