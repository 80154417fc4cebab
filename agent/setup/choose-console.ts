import { randomBytes } from 'node:crypto';
import { games } from '#contracts/servers/games.ts';
import type { ConsoleTarget } from '#games/connection.ts';
import { checkConsole } from '#games/console-check.ts';
import { gameOf } from '#games/games.ts';
import { portOf } from '#games/settings-file.ts';
import { Secret } from '#runtime/secret.ts';
import type { FoundGame } from '../discovery/find-games.ts';
import type { Questions } from './questions.ts';

export interface ChosenConsole {
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
export const chooseConsole = async (choice: ConsoleChoice): Promise<ChosenConsole> => {
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
