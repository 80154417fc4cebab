/** What a pack may not bring: they are the server's own, or its machine starts them. Folders stand with their `/`. */
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

/** Folders of worlds among these paths, by the file that each world has; the pack's own must not replace the server's. */
export const worldsIn = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => /(?:^|\/)level\.dat$/i.test(path)).map((path) => path.slice(0, -'level.dat'.length));

export const isOfServer = (path: string, worlds: readonly string[]): boolean =>
  ownedByServer.test(path) || worlds.some((world) => path.startsWith(world));

/** As the form of a file of mods, which is put in place by its name. */
export const isModFile = (path: string): boolean => /^(?:mods|plugins)\/[^/]+\.jar$/i.test(path);
