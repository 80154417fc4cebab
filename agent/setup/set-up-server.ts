import { randomBytes } from 'node:crypto';
import { games } from '#contracts/servers/games.ts';
import type { ConsoleTarget } from '#games/connection.ts';
import { checkConsole } from '#games/console-check.ts';
import { gameOf } from '#games/games.ts';
import { portOf } from '#games/settings-file.ts';
import { Secret } from '#runtime/secret.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import { changeConfig } from '../configuration/change-config.ts';
import { ownCommand } from '../configuration/own-command.ts';
import type { FoundGame } from '../discovery/find-games.ts';
import type { SearchOptions } from '../discovery/game-folders.ts';
import { SettingsFileError, turnConsoleOn } from '../discovery/settings-on-disk.ts';
import { serverObstacle } from '../power/check-server.ts';
import { modsMarkFault } from '../power/mods-mark.ts';
import { ServiceError } from '../service/service-error.ts';
import { chooseGame, writingObstacle } from './choose-game.ts';
import { chooseAllowed, chooseStart, inWords } from './choose-start.ts';
import { CancelledError, type Questions } from './questions.ts';
import {
  readServerSettings,
  type ServerSettings,
  type StartSetting,
  takenFolders,
} from './server-settings.ts';

interface ChosenConsole {
  /** Null: the console is unknown. */
  readonly target: ConsoleTarget | null;
  /** The game's settings file has to be changed for it. */
  readonly isToBeTurnedOn: boolean;
}

interface ConsoleChoice {
  readonly found: FoundGame;
  /** The console that config.json already has. */
  readonly kept: ConsoleTarget | null;
  /** `--yes`: a console that is off is turned on while the game does not run. */
  readonly agreesToAll: boolean;
  readonly questions: Questions;
}

const here = '127.0.0.1';
const none: ChosenConsole = { target: null, isToBeTurnedOn: false };

/** Finds a console that answers, or one that will once the game has been restarted. */
const chooseConsole = async (choice: ConsoleChoice): Promise<ChosenConsole> => {
  const { found, kept, questions } = choice;
  if (kept !== null && (await isAnswered(found, kept, questions))) return asFound(kept);
  const { console } = found;
  if (console === null) {
    questions.say(found.consoleFault ?? '');
    return questions.isAsked ? typeConsole(choice) : keep(kept);
  }
  if (!console.isOn) return turnOn(choice);
  const target = { host: here, port: console.port, password: console.password };
  if (await isAnswered(found, target, questions)) return asFound(target);
  if (!questions.isAsked || found.program === null) return asFound(target);
  const options = [
    'Use it anyway and try again later',
    'Enter the address, port and password',
    'Set up no console',
  ];
  const chosen = await questions.choose('What do you want to do?', options, 0);
  return chosen === 0 ? asFound(target) : chosen === 1 ? typeConsole(choice) : none;
};

const asFound = (target: ConsoleTarget): ChosenConsole => ({ target, isToBeTurnedOn: false });
const keep = (kept: ConsoleTarget | null): ChosenConsole => ({ target: kept, isToBeTurnedOn: false });

const isAnswered = async ({ game, program }: FoundGame, target: ConsoleTarget, questions: Questions) => {
  const checked = await checkConsole({ game: gameOf(game), target });
  if (checked.outcome === 'answered') {
    const players = checked.players === null ? '' : ` Players online: ${checked.players}.`;
    questions.say(`The console answers on port ${target.port}.${players}`);
    return true;
  }
  questions.say(
    program === null && checked.outcome === 'connection refused'
      ? `The console on port ${target.port} was not tried because the game is not running.`
      : `The console does not answer yet. ${checked.detail}`,
  );
  return false;
};

const passwordBytes = 18;

const turnOn = async (choice: ConsoleChoice): Promise<ChosenConsole> => {
  const { found, kept, agreesToAll, questions } = choice;
  const { settings } = gameOf(found.game).layout;
  const runs = found.program !== null;
  const { name } = games[found.game];
  questions.say(
    `The console of ${name} is off in ${found.settingsPath}. Castellan needs it for players, chat and commands.`,
  );
  if (runs && settings.isWrittenAtStop)
    questions.say(
      `${name} is running and overwrites this file when it stops. Stop it first, then run setup again.`,
    );
  else if (runs) questions.say('The change takes effect when the game starts again.');
  const usual = !runs && (questions.isAsked || agreesToAll);
  const question = 'Turn it on there? A copy of the file is kept beside it.';
  if (found.settingsPath === null || !(await questions.confirm(question, usual))) {
    questions.say(`To turn it on, set ${gameOf(found.game).consoleAdvice.enable}, or run setup again.`);
    return keep(kept);
  }
  const { port, password } = found.console ?? {
    port: games[found.game].defaultPort,
    password: new Secret(''),
  };
  const chosen = await questions.text('Port of the console', String(port), portFault);
  const isKept = password.reveal() !== '' || settings.isSafeWithoutPassword;
  if (!isKept) questions.say('It gets a new random password. You do not need to know it.');
  const secret = isKept ? password : new Secret(randomBytes(passwordBytes).toString('base64url'));
  return { target: { host: here, port: Number(chosen), password: secret }, isToBeTurnedOn: true };
};

const portFault = (text: string): string | null =>
  portOf(text) === null ? 'Enter a number from 1 to 65535.' : null;

const typeConsole = async ({ found, kept, questions }: ConsoleChoice): Promise<ChosenConsole> => {
  if (!(await questions.confirm('Do you know the port and the password of its console?', true)))
    return keep(kept);
  for (;;) {
    const usual = kept ?? found.console ?? { port: games[found.game].defaultPort };
    const host = await questions.text('Address of the console', kept?.host ?? here, (text) =>
      /^[\w.:-]{1,253}$/.test(text) ? null : 'Enter a name or an IP address.',
    );
    const port = Number(await questions.text('Port of the console', String(usual.port), portFault));
    const target = { host, port, password: new Secret(await questions.secret('Password of the console')) };
    if (await isAnswered(found, target, questions)) return asFound(target);
    const options = ['Enter them again', 'Keep them anyway', 'Set up no console'];
    const chosen = await questions.choose('What do you want to do?', options, 0);
    if (chosen > 0) return chosen === 1 ? asFound(target) : none;
  }
};

interface ServerSetUp {
  readonly home: AgentHome;
  /** Its config.json exists, with at least the game. */
  readonly serverId: string;
  /** `usualAnswers` when no one can be asked. */
  readonly questions: Questions;
  /** `--yes`: also agrees to changes of the game's files. */
  readonly agreesToAll?: boolean;
  readonly places?: SearchOptions['places'];
  readonly now?: () => Date;
}

/**
 * - `saved`: config.json says where the game is
 * - `incomplete`: no game was found, or several, and no one chose; nothing has changed
 * - `cancelled`: a person stopped it; nothing has changed
 * - `failed`: the reason was printed; nothing has changed
 */
export type SetUpOutcome = 'saved' | 'incomplete' | 'cancelled' | 'failed';

/** Finds the game server, asks for what cannot be detected, and writes everything at the end. */
export const setUpServer = async (options: ServerSetUp): Promise<SetUpOutcome> => {
  try {
    return await setUp(options);
  } catch (error) {
    if (error instanceof CancelledError) {
      options.questions.say('Nothing was changed.');
      return 'cancelled';
    }
    if (!(error instanceof SettingsFileError || error instanceof ServiceError)) throw error;
    options.questions.say(`${error.message} Nothing was changed.`);
    return 'failed';
  }
};

const setUp = async (options: ServerSetUp): Promise<SetUpOutcome> => {
  const { home, serverId, questions, agreesToAll = false, places } = options;
  const path = home.configPath(serverId);
  const kept = await readServerSettings(path);
  if (kept === null) {
    questions.say(
      `${path} is missing or names no game. Connect this machine first with the line that the panel shows.`,
    );
    return 'failed';
  }
  const taken = await takenFolders(home, serverId);
  const folder = kept.server?.folder ?? null;
  const found = await chooseGame({ game: kept.game, folder, taken, questions, ...(places && { places }) });
  if (found === null) {
    questions.say(`To name its folder, run on this machine: ${ownCommand()} setup --server ${serverId}`);
    return 'incomplete';
  }
  questions.say(`\n${games[kept.game].name} in ${found.folder}`);
  const obstacle = await writingObstacle(found.folder);
  if (obstacle !== null) questions.say(obstacle);
  for (const note of found.notes) questions.say(note);
  const console = await chooseConsole({ found, kept: keptConsole(kept), agreesToAll, questions });
  const isSame = folder === found.folder;
  const start = await chooseStart(found, (isSame && kept.server?.start) || null, questions);
  const allow = await chooseAllowed((isSame && kept.server?.allow) || null, start, questions);
  const modsFault = modsMarkFault(kept.game, { start, allow });
  if (modsFault !== null) questions.say(modsFault);
  // Its program may still be on its way: that keeps no one from saving.
  const unfit = await startObstacle(found.folder, start);
  if (unfit !== null) questions.say(`The game cannot be started like this: ${unfit}`);
  questions.say(summary(found, console, inWords(start)));
  if (console.target === null && start.by !== 'none')
    questions.say(
      'Without its console, Castellan cannot see a game that you start in another way and would start a second one. Start it from the panel only.',
    );
  if (!(await questions.confirm('Save this?', true))) throw new CancelledError('not saved');
  await turnOnWhereAsked(found, console, options);
  await changeConfig(path, {
    server: { folder: found.folder, start, allow },
    ...(console.target !== null
      ? { console: { ...console.target, password: console.target.password.reveal() } }
      : kept.console === undefined && { console: null }),
    ...(found.logFile !== null && { logFile: found.logFile }),
  });
  questions.say('Saved.');
  return 'saved';
};

const startObstacle = (folder: string, start: StartSetting): Promise<string | null> => {
  if (start.by !== 'holder') return serverObstacle({ folder, start });
  const [program = '', ...args] = start.command;
  const { account = null } = start;
  return serverObstacle({ folder, start: { by: 'holder', command: [program, ...args], account } });
};

const keptConsole = ({ game, console }: ServerSettings): ConsoleTarget | null =>
  console
    ? {
        host: console.host,
        port: console.port ?? games[game].defaultPort,
        password: new Secret(console.password),
      }
    : null;

const summary = (found: FoundGame, { target, isToBeTurnedOn }: ChosenConsole, start: string): string =>
  [
    '',
    `Folder   ${found.folder}`,
    `Console  ${target === null ? 'not known yet' : `port ${target.port} on ${target.host}${isToBeTurnedOn ? ', to be turned on' : ''}`}`,
    `Log      ${found.logFile ?? 'not read'}`,
    `Started  ${start}`,
  ].join('\n');

const turnOnWhereAsked = async (
  { game, settingsPath }: FoundGame,
  { target, isToBeTurnedOn }: ChosenConsole,
  { questions, now = () => new Date() }: ServerSetUp,
): Promise<void> => {
  if (!isToBeTurnedOn || target === null || settingsPath === null) return;
  const form = gameOf(game).layout.settings;
  const copy = await turnConsoleOn({ path: settingsPath, form, console: target, now: now() });
  if (copy !== null)
    questions.say(`The console is turned on in ${settingsPath}. The previous file is kept as ${copy}.`);
};
