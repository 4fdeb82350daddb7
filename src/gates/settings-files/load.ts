import { Emitter, type Event } from '#base/emitter';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { PatternPlace } from '#gates/rules/path-pattern';
import type { Host } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import type { AcceptancesTable, Verdict } from '#store/acceptances';
import { contentOf, type ProjectSettings, projectSettings } from './acceptance';
import { problemWords, settingsFile, type UnderstoodFile, understand, unreadable } from './assemble';
import { permittedModes } from './forbids';
import { type FileSet, type SettingsPlace, settingsPlaces } from './places';
import { readText, strangerThanRoot } from './read-text';
import type { SettingsFile, SettingsFiles } from './settings-file';

type Ports = Pick<Host, 'files' | 'settings' | 'trust' | 'environment' | 'clock' | 'log'>;

export interface LoaderOptions {
  readonly root: AbsolutePath;
  readonly acceptances: AcceptancesTable;
  /** Stands for the machine's policy file: for scenarios, which are to be the same everywhere. */
  readonly policy?: string | undefined;
}

/** What of a file can't be used, for a person. */
export interface SettingsProblem {
  readonly title: string;
  readonly detail: string;
}

const SETS: readonly FileSet[] = ['belay', 'claude'];
/** A notice names this many problems of a file; the log has all. */
const MOST_TOLD = 3;

/** Reads the settings files of one folder, and keeps what the person says of the project's. */
export class SettingsLoader implements SettingsFiles {
  readonly #ports: Ports;
  readonly #options: LoaderOptions;
  readonly #changed: Emitter<void>;
  readonly #broke: Emitter<SettingsProblem>;
  readonly #problems: SettingsProblem[] = [];
  /** Files by place, for as long as their text stays the same. */
  readonly #understood = new Map<string, UnderstoodFile>();
  readonly #told = new Set<string>();
  #read: readonly UnderstoodFile[] = [];
  #project: readonly ProjectSettings[] = [];
  #current: readonly SettingsFile[] = [];
  #last: Promise<void> = Promise.resolve();

  /** What counts changed, or what waits for the person. */
  readonly onDidChange: Event<void>;
  /** A file can't be used whole; once for each content. */
  readonly onProblem: Event<SettingsProblem>;

  constructor(ports: Ports, options: LoaderOptions) {
    this.#ports = ports;
    this.#options = options;
    const failed = (error: unknown) => ports.log.error(`a listener failed: ${String(error)}`);
    this.#changed = new Emitter(failed);
    this.#broke = new Emitter(failed);
    this.onDidChange = this.#changed.event;
    this.onProblem = this.#broke.event;
  }

  current(): readonly SettingsFile[] {
    return this.#current;
  }

  /** What was told so far. */
  problems(): readonly SettingsProblem[] {
    return this.#problems;
  }

  /** The modes that the policy leaves. */
  permittedModes(): readonly Mode[] {
    return permittedModes(this.#current);
  }

  /** What of the project's settings needs the person's word, whatever they said. */
  project(): readonly ProjectSettings[] {
    return this.#project;
  }

  /** One look after the other: who asks sees what was on disk then or later. */
  refresh(): Promise<void> {
    this.#last = this.#last.then(() => this.#look());
    return this.#last;
  }

  /** Holds for exactly the content that was shown; false when it is another by now, and then nothing is recorded. */
  async answer(shown: Pick<ProjectSettings, 'set' | 'sha256'>, verdict: Verdict): Promise<boolean> {
    await this.refresh();
    const now = this.#project.find(({ set }) => set === shown.set);
    if (now?.sha256 !== shown.sha256) return false;
    const { root: folder, acceptances } = this.#options;
    const own = this.#read.filter(({ place }) => place.origin === 'project' && place.dialect === shown.set);
    const kept = { content: contentOf(own), at: this.#ports.clock.now() };
    acceptances.record({ folder, set: shown.set, sha256: shown.sha256 }, verdict, kept);
    await this.refresh();
    return true;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#broke.dispose();
  }

  async #look(): Promise<void> {
    const { environment, settings, trust } = this.#ports;
    const wanted = { trusted: trust.isTrusted(), claude: settings.current().claudeSettings };
    const read: UnderstoodFile[] = [];
    for (const place of settingsPlaces(environment, this.#options.root, wanted)) {
      const file = await this.#file(place).catch((error: unknown) => unreadable(place, messageOf(error)));
      if (file) read.push(file);
    }
    this.#take(read);
  }

  #take(read: readonly UnderstoodFile[]): void {
    const { root: folder, acceptances } = this.#options;
    const isSame =
      read.length === this.#read.length && read.every((file, index) => isEqual(file, this.#read[index]));
    // The person may have answered in another window.
    const isSaid = this.#project.every(
      ({ set, sha256, verdict }) => acceptances.verdict({ folder, set, sha256 }) === verdict,
    );
    if (isSame && isSaid) return;
    this.#read = read;
    this.#project = SETS.flatMap((set) => projectSettings(set, read, { folder, acceptances }) ?? []);
    this.#current = read.map((file) => settingsFile(file, counts(file, this.#project)));
    for (const file of this.#current) this.#report(file);
    this.#changed.emit();
  }

  async #file(found: SettingsPlace): Promise<UnderstoodFile | undefined> {
    const { files, environment } = this.#ports;
    const { root, policy } = this.#options;
    const isGiven = found.origin === 'policy' && policy !== undefined;
    const place = isGiven ? { ...found, name: 'policy.json' } : found;
    const text = isGiven ? { ok: true as const, value: policy } : await readText(place.path, files);
    if (!text.ok) return unreadable(place, text.error);
    if (text.value === undefined) return undefined;
    const known = this.#understood.get(place.path);
    const paths: PatternPlace = { root, home: environment.home };
    const file = known?.text === text.value ? known : understand(place, text.value, paths);
    this.#understood.set(place.path, file);
    if (place.origin !== 'policy' || isGiven) return file;
    const stranger = await strangerThanRoot(place.path, files, environment.platform);
    return stranger === undefined ? file : withoutTrust(file, stranger);
  }

  #report({ name, problems }: SettingsFile): void {
    const lines = problems.map(problemWords);
    const key = JSON.stringify([name, lines]);
    if (lines.length === 0 || this.#told.has(key)) return;
    this.#told.add(key);
    for (const line of lines) this.#ports.log.warn(`${name}: ${line}`);
    const more = lines.length - MOST_TOLD;
    const told = lines.slice(0, MOST_TOLD).join('; ');
    const problem = {
      title: t('Not all of {0} can be used', name),
      detail: more > 0 ? t('{0}; and {1} more, see the log.', told, more) : `${told}.`,
    };
    this.#problems.push(problem);
    this.#broke.emit(problem);
  }
}

function isEqual(one: UnderstoodFile, other: UnderstoodFile | undefined): boolean {
  if (one === other) return true;
  return (
    one.place.path === other?.place.path &&
    one.text === other.text &&
    JSON.stringify(one.problems) === JSON.stringify(other.problems)
  );
}

/** A policy that someone else than the administrator may have written guards as it says, and opens nothing. */
function withoutTrust(file: UnderstoodFile, why: string): UnderstoodFile {
  const words = t('what it allows and its hooks do not count: {0}', why);
  return { ...file, isWhole: false, problems: [...file.problems, { words, guards: false }] };
}

function counts({ place, isWhole }: UnderstoodFile, project: readonly ProjectSettings[]): boolean {
  if (!isWhole) return false;
  if (place.origin !== 'project') return true;
  const own = project.find(({ set }) => set === place.dialect);
  return own === undefined || own.verdict === 'accepted';
}
