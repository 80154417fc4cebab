import packageJson from '../package.json' with { type: 'json' };

/** The programs run on this version of Node, such as `24.11`, and on newer ones. */
export const oldestNode = packageJson.devEngines.runtime.version.replace('>=', '');
