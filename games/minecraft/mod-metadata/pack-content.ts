/** Paths that a pack may not contain: they belong to the server itself, or its machine runs them. Folders end with `/`. */
const ownedByServer = new RegExp(
  `^(?:${[
    'server\\.properties',
    'eula\\.txt',
    'ops\\.(?:json|txt)',
    'whitelist\\.json',
    'white-list\\.txt',
    'banned-(?:players|ips)\\.(?:json|txt)',
    'usercache\\.json',
    'user_jvm_args\\.txt',
    '[^/]+\\.(?:jar|sh|bash|bat|cmd|ps1|exe|com|msi|dll|so|service)',
    'libraries/.*',
    'versions/.*',
    'logs/.*',
    'crash-reports/.*',
    '\\..*',
  ].join('|')})$`,
  'i',
);

/** World folders among these paths, recognized by the file that each world has; the pack's worlds must not replace the server's. */
export const worldsIn = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => /(?:^|\/)level\.dat$/i.test(path)).map((path) => path.slice(0, -'level.dat'.length));

export const isOfServer = (path: string, worlds: readonly string[]): boolean =>
  ownedByServer.test(path) || worlds.some((world) => path.startsWith(world));

/** Matches the form of a mod file, which is installed by its name. */
export const isModFile = (path: string): boolean => /^(?:mods|plugins)\/[^/]+\.jar$/i.test(path);
