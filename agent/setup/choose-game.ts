import { access, constants, realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type GameId, games } from '#contracts/servers/games.ts';
import { answers, silentFolder } from '#runtime/answering-folder.ts';
import { windowsLister } from '#runtime/windows/listing.ts';
import { describeGame, type FoundGame, findGames } from '../discovery/find-games.ts';
import { gameOfFolder, type SearchOptions } from '../discovery/game-folders.ts';
import { maskArguments } from '../power/mask-arguments.ts';
import type { Questions } from './questions.ts';
import { holderOfFolder } from './server-settings.ts';

interface GameChoice {
  readonly game: GameId;
  /** The folder that is already configured. */
  readonly folder: string | null;
  readonly taken: ReadonlyMap<string, string>;
  readonly questions: Questions;
  readonly places?: SearchOptions['places'];
}

/** The game server that the settings are for; null when none is found and no one names one. */
export const chooseGame = async (choice: GameChoice): Promise<FoundGame | null> => {
  const { game, folder, taken, questions, places } = choice;
  const { name } = games[game];
  questions.say(`Looking for ${name} on this machine …`);
  const all = await findGames({ games: [game], ...(places && { places }) });
  const silence = windowsLister.silence();
  if (silence !== null) questions.say(silence);
  const free: FoundGame[] = [];
  for (const found of all) if ((await holderOfFolder(taken, found.folder)) === null) free.push(found);
  const kept = folder === null ? undefined : free.find((found) => found.folder === folder);
  if (!questions.isAsked) return kept ?? theOnlyOne(free) ?? sayWhatIsOpen(free, choice);
  if (free.length === 0) {
    questions.say(`This account can see no server of ${name}.`);
    return typeFolder(choice);
  }
  const usual = Math.max(kept ? free.indexOf(kept) : 0, 0);
  const options = [...free.map(evidence), 'Another folder'];
  const chosen = await questions.choose(`Which server of ${name} is it?`, options, usual);
  return free[chosen] ?? typeFolder(choice);
};

/** If there are several and only one runs, that one is meant. */
const theOnlyOne = (free: readonly FoundGame[]): FoundGame | null => {
  const running = free.filter(({ isBelieved }) => isBelieved);
  const [only, another] = running.length > 0 ? running : free;
  return another === undefined ? (only ?? null) : null;
};

const sayWhatIsOpen = (free: readonly FoundGame[], { game, questions }: GameChoice): null => {
  questions.say(
    free.length === 0
      ? `This account can see no server of ${games[game].name}.`
      : `There are several servers of ${games[game].name} here:\n${free.map(evidence).join('\n')}`,
  );
  return null;
};

/** Why it looks like the right one, without anything secret. */
const evidence = ({
  folder,
  account,
  program,
  isBelieved,
  console,
  settingsPath,
  consoleFault,
  manager,
}: FoundGame): string => {
  const command = program && maskArguments(program.command, [console?.password.reveal() ?? '']);
  const lines = [
    `${folder}${account === null ? '' : `  (of ${account})`}`,
    program === null
      ? 'is not running, or this account cannot see it'
      : `runs as process ${program.pid}${program.unit === null ? '' : `, by ${program.unit}`}${isBelieved ? '' : `, of the account ${program.account ?? program.uid}, which does not own the folder`}: ${cut(command ?? '')}`,
    ...(manager === null
      ? []
      : [`is managed by ${manager.name}${manager.isContainer ? ', in a container' : ''}`]),
    console === null
      ? (consoleFault ?? '')
      : `console ${console.isOn ? `on, port ${console.port}` : 'off'}, says ${settingsPath}`,
  ];
  return lines.join('\n');
};

const mostShown = 160;
const cut = (text: string): string => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text);

const typeFolder = async (choice: GameChoice): Promise<FoundGame | null> => {
  const { game, questions, taken } = choice;
  for (;;) {
    const typed = await questions.text(
      `Folder of the ${games[game].name} server (empty: none)`,
      choice.folder ?? '',
      (text) => (text === '' || isAbsolute(text) ? null : 'Enter the full path, from the root or the drive.'),
    );
    if (typed === '') return null;
    const fault = await folderFault(typed, taken);
    if (fault !== null) {
      questions.say(fault);
      continue;
    }
    const real = await realpath(typed);
    const isUsual = (await gameOfFolder(real, [game])) === game;
    const question = `Nothing there looks like ${games[game].name}. Use this folder anyway?`;
    if (isUsual || (await questions.confirm(question, false))) return describeGame(game, real);
  }
};

const folderFault = async (folder: string, taken: ReadonlyMap<string, string>): Promise<string | null> => {
  if (!(await answers(folder))) return silentFolder(folder);
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) return `${folder} cannot be opened (${found.code}).`;
  if (!found.isDirectory()) return `${folder} is not a folder.`;
  const holder = await holderOfFolder(taken, folder);
  return holder === null
    ? null
    : `${folder} already belongs to the server ${holder}. Two agents for one game would disturb each other.`;
};

/** Why this folder cannot be written; null when it can. */
export const writingObstacle = async (folder: string): Promise<string | null> =>
  access(folder, constants.W_OK).then(
    () => null,
    () => `${folder} cannot be written to by this account, so backups, mods and files will not work there.`,
  );
