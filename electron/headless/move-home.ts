import { resolve } from 'node:path';
import type { DataFolderReport } from '#contracts/desktop/desktop-data-folder.ts';
import { isThere } from '#runtime/path-access.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { holdHome } from '../control/held-home.ts';
import { type MoveProgress, moveHome } from '../data-folder/move-home.ts';
import { checkTarget } from '../data-folder/target-check.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure, notRunning } from './exit-codes.ts';
import { demandNoServices } from './services.ts';
import type { Terminal } from './terminal.ts';

/** `castellan move-home`: for a stopped stack. The old folder is kept; Ctrl-C cancels the move. */
export const moveHomeTo = async (
  { home, programsFolder, terminal }: CommandContext,
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
  const target = resolve(folder);
  if (!isThere(stackEnvPath(home), home)) throw notRunning(home);
  await demandNoServices(home);
  await using _held = await holdHome(home, 'castellan move-home');
  await demandNoServices(home);
  const report = await checkTarget({ home, target, programsFolder, variables });
  if (report.outcome !== 'fine') throw new CommandFailure(refusalOf(report));
  for (const { detail } of report.warnings) terminal.say(`warning: ${detail}`);
  terminal.say(`Copying ${report.files} files (${megabytes(report.bytes)}) to ${target} …`);
  const cancel = new AbortController();
  const callOff = () => cancel.abort();
  process.once('SIGINT', callOff).once('SIGTERM', callOff);
  const onProgress = sayEachTenth(terminal);
  const result = await moveHome({ home, target, signal: cancel.signal, onProgress });
  process.off('SIGINT', callOff).off('SIGTERM', callOff);
  if (result.outcome === 'cancelled') throw new CommandFailure(`Cancelled. Everything is still in ${home}.`);
  if (result.outcome === 'failed')
    throw new CommandFailure(`${result.detail}\nEverything is still in ${home}.`);
  terminal.say(`Moved. Start it with: castellan --home "${target}" start
The desktop finds it by itself. The old folder ${home} is kept, and nothing starts there any more. Delete it when all is well.`);
};

type Refusal = Exclude<DataFolderReport, { outcome: 'fine' }>;

const refusalOf = (report: Refusal): string =>
  report.outcome === 'full'
    ? `There is not enough room: the move needs ${megabytes(report.neededBytes)}, and ${megabytes(report.freeBytes)} are free. Make room, or choose another disk.`
    : report.detail;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

const sayEachTenth = (terminal: Terminal) => {
  let said = '';
  return ({ step, doneBytes, bytes }: MoveProgress): void => {
    const tenths = bytes === 0 ? 10 : Math.floor((doneBytes / bytes) * 10);
    const words = `  ${step === 'copy' ? 'copied' : 'verified'}: ${tenths * 10} %`;
    if (words === said) return;
    said = words;
    terminal.say(words);
  };
};
