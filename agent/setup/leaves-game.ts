import { openNamedFile } from '../folders/named-file.ts';

const remark = /^\s*(?:@?rem\b|::)/i;
/** As a separate command: at the beginning, or after an operator that joins or conditions commands. */
const startCommand = /(?:^|[(&|]|\belse\b|\bdo\b|\bexist\s+(?:"[^"]*"|\S+)|==\s*\S+)\s*@?start(?=\s|$)/i;

/**
 * Whether a batch file starts the game with `start` and continues or ends without it: no process then holds that game, so it
 * would count as ended and be started a second time.
 */
export const batchLeavesGame = async (path: string): Promise<boolean> => {
  if (!/\.(?:bat|cmd)$/i.test(path)) return false;
  await using file = await openNamedFile(path).catch(() => null);
  const text = (await file?.readFile('latin1').catch(() => '')) ?? '';
  return text.split(/\r?\n/).some((line) => !remark.test(line) && startCommand.test(line));
};
