/** What we said in games. Some servers write it into their logs as chat. */
export interface OwnLines {
  add(serverId: string, line: string): void;
  /** Whether a line of the game's chat is, or ends with, what we said there a moment ago. */
  has(serverId: string, line: string): boolean;
}

const keptMs = 120_000;
/** Per server. */
const mostKept = 100;

/** Without blanks, and without what games' commands cannot hold and replace. */
const essence = (line: string): string =>
  line
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s"'|¦@]/gu, '');

export const createOwnLines = (now: () => number = () => performance.now()): OwnLines => {
  const byServer = new Map<string, { readonly essence: string; readonly atMs: number }[]>();
  return {
    add(serverId, line) {
      const lines = byServer.get(serverId) ?? [];
      lines.push({ essence: essence(line), atMs: now() });
      if (lines.length > mostKept) lines.shift();
      byServer.set(serverId, lines);
    },
    has(serverId, line) {
      const told = essence(line);
      const lines = byServer.get(serverId) ?? [];
      return lines.some((own) => now() - own.atMs < keptMs && told.endsWith(own.essence));
    },
  };
};
