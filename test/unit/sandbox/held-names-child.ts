import { PROTECTED_FILES } from '#protocol/settings';
import { placeholders } from '#sandbox/placeholders';

// A window of its own whose command runs until it is killed.
const [workspaceRoot = '/', storage = '/'] = process.argv.slice(2);
placeholders({ workspaceRoot, protectedNames: PROTECTED_FILES, storage });
console.log('held');
setInterval(() => undefined, 1000);
