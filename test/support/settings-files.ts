import type { SettingsFiles } from '#gates/settings-files/settings-file';

/** A folder without any settings file. */
export const noSettingsFiles: SettingsFiles = { current: () => [], refresh: async () => undefined };
