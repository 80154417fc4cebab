import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { gameOf } from '#games/games.ts';
import { splitCommandLine } from '#runtime/windows/command-line-text.ts';
import type { FoundGame } from '../discovery/find-games.ts';
import type { GameManager } from '../discovery/game-manager.ts';

import { maskArguments } from '../power/mask-arguments.ts';
import { batchLeavesGame } from './leaves-game.ts';
import type { Questions } from './questions.ts';
import type { AllowSetting, StartSetting } from './server-settings.ts';

const isWindows = process.platform === 'win32';

/** How the game is started: the way that was detected, unless a person chooses another. */
export const chooseStart = async (
  found: FoundGame,
  kept: StartSetting | null,
  questions: Questions,
): Promise<StartSetting> => {
  const isKept = kept !== null && kept.by !== 'none';
  const { manager } = found;
  if (manager !== null) questions.say(managedWords(manager));
  // A second start beside the manager's own would not know its world, its ports or its account.
  const seen = manager === null ? await asItRuns(found) : [];
  const scripts = manager === null ? await startScripts(found) : [];
  const proposals = [
    ...(isKept ? [kept] : []),
    ...(found.isBelieved ? [...seen, ...scripts] : [...scripts, ...seen]),
  ];
  const different = proposals.filter(
    (one, index) => proposals.findIndex((other) => inWords(other) === inWords(one)) === index,
  );
  const options = [
    ...different.map(inWords),
    'With a command that you enter',
    ...(isWindows ? ['As a Windows service that you name'] : ['As a systemd unit that you name']),
    'Not by Castellan; you start and stop it yourself',
  ];
  // A script in the folder of a game that seems to be down is a guess: in a container it may run unseen.
  const isKnown = isKept || (manager === null && (await isSafeUnasked(found)));
  const isOffered = questions.isAsked && manager === null && (found.isBelieved || scripts.length > 0);
  const usual = isKnown || isOffered ? 0 : options.length - 1;
  const chosen = await questions.choose('How is the game started?', options, usual);
  const proposal = different[chosen];
  if (proposal !== undefined) return proposal;
  if (chosen === different.length) return typeCommand(found, questions);
  if (chosen === different.length + 1) return isWindows ? typeService(questions) : typeUnit(questions);
  return { by: 'none' };
};

const managedWords = ({ name, isContainer }: GameManager): string =>
  `${name} manages this server${isContainer ? ', in a container' : ''}. Start and stop it there: Castellan does not start it a second time. The settings of its console may be written by ${name} at each start${isContainer ? ', and the port of the console has to be published to this machine' : ''}.`;

const asItRuns = async ({ program }: FoundGame): Promise<StartSetting[]> => {
  if (program === null) return [];
  if (program.unit !== null) return [{ by: 'systemd', unit: program.unit }];
  const [service] = program.services;
  if (service !== undefined) return [{ by: 'windows-service', service }];
  return [{ by: 'holder', command: await wholeCommand(program) }];
};

/** No one checks the command: its program must be in the game's folder, or belong to root or this account. */
const isSafeUnasked = async ({ folder, program, isBelieved }: FoundGame): Promise<boolean> => {
  if (program === null || !isBelieved) return false;
  if (isWindows || program.unit !== null) return true;
  if (program.executable === null) return false;
  if (program.executable.startsWith(`${folder}/`)) return true;
  const owner = await stat(program.executable).then(
    ({ uid }) => uid,
    () => null,
  );
  return owner === 0 || owner === process.getuid?.();
};

const startScripts = async ({ folder, game, program }: FoundGame): Promise<StartSetting[]> => {
  // A script beside the game does not start what a service manager starts.
  if (program !== null && (program.unit !== null || program.services.length > 0)) return [];
  const scripts = gameOf(game).layout.startScripts[isWindows ? 'windows' : 'linux'];
  const there: StartSetting[] = [];
  for (const script of scripts) {
    const path = join(folder, script);
    if ((await isFile(path)) && !(await batchLeavesGame(path))) there.push({ by: 'holder', command: [path] });
  }
  return there;
};

/** The command that was found, with absolute paths: the agent runs in another folder. */
const wholeCommand = async ({
  command,
  executable,
  workingFolder,
}: Pick<NonNullable<FoundGame['program']>, 'command' | 'executable' | 'workingFolder'>): Promise<
  string[]
> => {
  const [program = '', ...args] = command;
  const isScript = executable !== null && /\/(?:ba|da|z)?sh$/.test(executable) && args[0] !== undefined;
  const whole = async (word: string): Promise<string> => {
    const path = resolve(workingFolder ?? '/', word);
    return workingFolder !== null && /[\\/]/.test(word) && !isAbsolute(word) && (await isFile(path))
      ? path
      : word;
  };
  const first = isAbsolute(program) ? program : (executable ?? program);
  return isScript ? [first, await whole(args[0] ?? ''), ...args.slice(1)] : [first, ...args];
};

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

export const inWords = (start: StartSetting): string => {
  if (start.by === 'holder') return `With the command: ${maskArguments(start.command, [])}`;
  if (start.by === 'systemd') return `As the systemd unit ${start.unit}`;
  return start.by === 'windows-service' ? `As the Windows service ${start.service}` : 'Not by Castellan';
};

const typeCommand = async ({ folder }: FoundGame, questions: Questions): Promise<StartSetting> => {
  questions.say(
    `Enter the program and its arguments. It starts in ${folder} without a shell; use a script for anything more.`,
  );
  const typed = await questions.text('Command', '', (text) => (text === '' ? 'Enter a command.' : null));
  const [program = '', ...args] = isWindows ? splitCommandLine(typed) : splitCommand(typed);
  const beside = resolve(folder, program);
  return { by: 'holder', command: [(await isFile(beside)) ? beside : program, ...args] };
};

/** Blanks separate, quotes keep together, a backslash makes the next character literal. */
export const splitCommand = (line: string): string[] =>
  Array.from(line.matchAll(/(?:'[^']*'?|"(?:\\.|[^"\\])*"?|\\.|[^\s'"\\])+/g), ([word]) =>
    word.replace(
      /'([^']*)'?|"((?:\\.|[^"\\])*)"?|\\(.)/g,
      (_, single, double, escaped) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped,
    ),
  );

const typeUnit = async (questions: Questions): Promise<StartSetting> => {
  const unit = await questions.text('Name of the unit, such as minecraft.service', '', (text) =>
    /^[a-z0-9:_.\\@][a-z0-9:_.\\@-]*\.service$/i.test(text)
      ? null
      : 'Enter its name with .service at the end.',
  );
  return { by: 'systemd', unit };
};

const typeService = async (questions: Questions): Promise<StartSetting> => {
  const service = await questions.text('Name of the Windows service', '', (text) =>
    /^(?![-/])[^\\/"\p{Cc}]{1,256}$/u.test(text) ? null : 'Enter its name as `sc query` shows it.',
  );
  return { by: 'windows-service', service };
};

const rights = [
  ['power', true, 'start, stop and restart the game'],
  ['files', false, "read and change files in the game's folder, from the panel"],
  ['mods', false, 'install and remove mods: programs that then run on this machine'],
] as const;

/** Each with its consequence; the meaning of a permission is decided only on this machine. */
export const chooseAllowed = async (
  kept: AllowSetting | null,
  start: StartSetting,
  questions: Questions,
): Promise<AllowSetting> => {
  questions.say(
    '\nWhat may people with the right permission do from the panel? You can change this on this machine only.',
  );
  const allowed = { power: false, files: false, mods: false };
  for (const [right, usual, words] of rights) {
    const isUseless = right === 'power' && start.by === 'none';
    allowed[right] = !isUseless && (await questions.confirm(`May they ${words}?`, kept?.[right] ?? usual));
  }
  const backups = await questions.confirm(
    'May they schedule backups of its worlds, and keep more of them than this machine says?',
    kept?.backups ?? false,
  );
  // An earlier version of the agent does not start with it.
  return { ...allowed, ...(backups && { backups }) };
};
