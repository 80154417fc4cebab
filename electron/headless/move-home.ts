import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DataFolderReport } from '#contracts/desktop-data-folder.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { holdHome } from '../control/held-home.ts';
import { type MoveProgress, moveHome } from '../data-folder/move-home.ts';
import { checkTarget } from '../data-folder/target-check.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure, notRunning } from './exit-codes.ts';
import { demandNoServices } from './services.ts';
import type { Terminal } from './terminal.ts';

/** `castellan move-home`: of a stack that does not run. The old folder is kept; Ctrl-C calls it off. */
export const moveHomeTo = async (
  { home, programsFolder, terminal }: CommandContext,
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
  const target = resolve(folder);
  if (!existsSync(stackEnvPath(home))) throw notRunning(home);
  await demandNoServices(home);
  await using _held = await holdHome(home, 'castellan move-home');
  await demandNoServices(home);
  const report = await checkTarget({ home, target, programsFolder, variables });
  if (report.outcome !== 'fine') throw new CommandFailure(refusalOf(report));
  terminal.say(`${report.files} files, ${megabytes(report.bytes)}, are copied to ${target} …`);
  const cancel = new AbortController();
  const callOff = () => cancel.abort();
  process.once('SIGINT', callOff).once('SIGTERM', callOff);
  const onProgress = sayEachTenth(terminal);
  const result = await moveHome({ home, target, signal: cancel.signal, onProgress });
  process.off('SIGINT', callOff).off('SIGTERM', callOff);
  if (result.outcome === 'cancelled')
    throw new CommandFailure(`Called off; everything is in ${home} as it was.`);
  if (result.outcome === 'failed')
    throw new CommandFailure(`${result.detail}\nEverything is in ${home} as it was.`);
  terminal.say(`Moved. Start it with: castellan --home "${target}" start
The desktop finds it by itself. ${home} is kept and nothing starts there any more; delete it when all is well.`);
};

type Refusal = Exclude<DataFolderReport, { outcome: 'fine' }>;

const refusalOf = (report: Refusal): string =>
  report.outcome === 'full'
    ? `There is not enough room: ${megabytes(report.neededBytes)} are needed, with some to spare, and ${megabytes(report.freeBytes)} are free.`
    : report.detail;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

const sayEachTenth = (terminal: Terminal) => {
  let said = '';
  return ({ step, doneBytes, bytes }: MoveProgress): void => {
    const tenths = bytes === 0 ? 10 : Math.floor((doneBytes / bytes) * 10);
    const words = `  ${step === 'copy' ? 'copied' : 'read back'}: ${tenths * 10} %`;
    if (words === said) return;
    said = words;
    terminal.say(words);
  };
};
