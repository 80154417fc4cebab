import { readFile } from 'node:fs/promises';

const remark = /^\s*(?:@?rem\b|::)/i;
/** As a command of its own: at the beginning, or behind what joins or conditions commands. */
const startCommand = /(?:^|[(&|]|\belse\b|\bdo\b|\bexist\s+(?:"[^"]*"|\S+)|==\s*\S+)\s*@?start(?=\s|$)/i;

/**
 * Whether a batch file starts the game by `start` and goes on or ends without it: no process holds that game then, so that it
 * would count as ended and be started a second time.
 */
export const batchLeavesGame = async (path: string): Promise<boolean> => {
  if (!/\.(?:bat|cmd)$/i.test(path)) return false;
  const text = await readFile(path, 'latin1').catch(() => '');
  return text.split(/\r?\n/).some((line) => !remark.test(line) && startCommand.test(line));
};
