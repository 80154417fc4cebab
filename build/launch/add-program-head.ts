import { readFile, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { oldestNode } from '#runtime/oldest-node.ts';

/** The first line of the program itself. */
const mark = '\n//#program\n';

/** Puts the head that refuses an old Node before a bundled program, whose lines become comments that the head opens. The footer is a comment. */
export const addProgramHead = async (file: string, footer = ''): Promise<void> => {
  const head = await bundleHead();
  if (head.includes(mark)) throw new Error('The head holds the mark of the program.');
  const program = await readFile(file, 'utf8');
  await writeFile(file, `${head.trimEnd()}${mark}${program.replace(/^(?=.)/gm, '//')}\n${footer}`);
};

const bundleHead = async (): Promise<string> => {
  const build = await rolldown({
    input: join(import.meta.dirname, 'program-head.mjs'),
    platform: 'node',
    // By their names without a prefix, which the oldest Nodes know.
    external: [...builtinModules],
    transform: {
      define: { OLDEST_NODE: JSON.stringify(oldestNode), PROGRAM_MARK: JSON.stringify(mark) },
    },
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  return output[0].code;
};
