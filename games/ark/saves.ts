import type { GameSaves, ServerFolder } from '../saves-layout.ts';

const saved = 'ShooterGame/Saved';
/** Characters, creatures and items on their way between the servers of a cluster. */
const clusters = `${saved}/clusters`;
const isSave = (name: string) => /\.(?:ark|arkprofile|arktribe)$/i.test(name);

/** A command that names the map and its options: a script may add to them what is not seen. */
const isWholeCommand = (args: readonly string[]): boolean =>
  args.some((arg) => /(?:^|[\\/])(?:ShooterGameServer|ArkAscendedServer)(?:\.exe)?$/i.test(arg));

const optionOf = (args: readonly string[], name: string): string | null =>
  args
    .flatMap((arg) => new RegExp(`(?:^-|[?])${name}=([^?]*)`, 'i').exec(arg)?.[1] ?? [])
    .map((value) => value.replace(/^"|"$/g, '').replace(/[\\/]+$/, ''))
    .filter((value) => value !== '')
    .at(-1) ?? null;

/** All folders with saves; Ascended has a folder in each for each map. */
const foldersWithSaves = async (server: ServerFolder): Promise<string[]> => {
  const found: string[] = [];
  for (const name of await server.folders(saved)) {
    const folder = `${saved}/${name}`;
    // With a dot: put aside by a restore.
    if (name.startsWith('.') || folder === clusters) continue;
    const inside = (await server.folders(folder)).map((map) => `${folder}/${map}`);
    const files = await Promise.all([folder, ...inside].map((path) => server.files(path)));
    if (files.flat().some(isSave)) found.push(folder);
  }
  return found;
};

const hasContent = async (server: ServerFolder, path: string): Promise<boolean> =>
  (await server.folders(path)).length > 0 || (await server.files(path)).length > 0;

/**
 * `SavedArks`, or the folder named by `AltSaveDirectoryName`: servers of one cluster often share the game's folder and differ only
 * by that name (github.com/arkmanager/ark-server-tools/issues/628). What is on its way between servers would be lost with the disk
 * (issues/1231 there), but belongs to all of them: it comes along only where the server is alone.
 */
export const arkSaves: GameSaves = {
  async find(server, args) {
    const found = await foldersWithSaves(server);
    const told = optionOf(args, 'AltSaveDirectoryName');
    const named = `${saved}/${told ?? 'SavedArks'}`;
    // Windows does not care about the case.
    const own = found.find((folder) => folder.toLowerCase() === named.toLowerCase()) ?? named;
    const isElsewhere = told !== null && /^[\\/]|^[a-z]:|\.\.|[\\/]/i.test(told);
    const mayChoose = (told !== null || isWholeCommand(args)) && (isElsewhere || found.includes(own));
    const worlds = mayChoose ? [own] : found;
    const others = found.filter((folder) => !worlds.some((world) => `${world}/`.startsWith(`${folder}/`)));

    const override = optionOf(args, 'ClusterDirOverride');
    const isShared = found.length !== 1 || override !== null;
    const transfers = (await hasContent(server, clusters)) ? clusters : null;
    return {
      places: !isShared && transfers !== null ? [...worlds, transfers] : worlds,
      leftOut: [
        ...others,
        ...(isShared && transfers !== null ? [transfers] : []),
        ...(override === null ? [] : [override]),
      ].map((path) => (others.includes(path) ? `${path} (another server's)` : `${path} (of the cluster)`)),
    };
  },
  passing: [],
  pause: null,
};
