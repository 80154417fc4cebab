import { fstatSync, readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type GameId, gameIds } from '#contracts/servers/games.ts';
import { isAlive } from '#runtime/live-process.ts';
import { createLog } from '#runtime/log.ts';
import { runProgram, StartupError } from '#runtime/program.ts';
import { startArk } from './ark-simulator.ts';
import { joinFirst, keepBusy, mostPlayers } from './busy.ts';
import { type MinecraftSimulator, startMinecraft } from './minecraft-simulator.ts';
import { startPalworld } from './palworld-simulator.ts';
import { startSevenDays } from './seven-days-simulator.ts';
import type { Simulator, SimulatorOptions } from './simulator.ts';

interface Options {
  readonly game: GameId;
  readonly port: number;
  readonly passwordFile?: string;
  readonly logFile?: string;
  readonly players: number;
  readonly busy?: true;
  readonly endsWith?: number;
  readonly levelFile?: string;
  readonly echo?: true;
}

const busyEveryMs = 4000;
const lookEveryMs = 1000;
/** For a world that outlives the process. */
const autosaveMs = 10_000;

const wholeNumber = (most: number) => (text: string) => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > most)
    throw new InvalidArgumentError(`It must be a number from 0 to ${most}.`);
  return value;
};

const { game, port, passwordFile, logFile, players, busy, endsWith, levelFile, echo } = new Command(
  'node tests/simulators/main.ts',
)
  .description(
    'Simulates a game server: its console on a TCP port of 127.0.0.1, and its log. Prints one line `READY {"game":…,"port":…}` and ' +
      'runs until SIGTERM, the end of a piped stdin or of the parent. The password comes from GAME_PASSWORD or a file.',
  )
  .addOption(new Option('--game <game>', 'which one').choices(gameIds).makeOptionMandatory())
  .option('--port <number>', '0 for any free one', wholeNumber(65_535), 0)
  .option('--password-file <file>', 'holds the password, in place of GAME_PASSWORD')
  .option('--log-file <file>', 'where the game writes its log')
  .option(
    '--players <count>',
    `who is on the server at first, ${mostPlayers} at most`,
    wholeNumber(mostPlayers),
    0,
  )
  .option('--busy', 'players come, talk and go')
  .option('--level-file <file>', 'where Minecraft saves its world, and begins with it')
  .option('--echo', 'what Minecraft logs goes to standard output, too')
  .option('--ends-with <pid>', 'end when this process does, whoever the parent is', wholeNumber(2 ** 31 - 1))
  .parse()
  .opts<Options>();

const readPassword = (): string => {
  if (!passwordFile) return process.env.GAME_PASSWORD ?? '';
  try {
    return readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new StartupError('The password file cannot be read.', { cause: error });
  }
};

const start = (options: SimulatorOptions): Promise<Simulator | MinecraftSimulator> => {
  if (game === 'minecraft')
    return startMinecraft({
      ...options,
      ...(levelFile === undefined ? {} : { levelFile, autosaveMs }),
      ...(echo && { onLogLine: (line) => void process.stdout.write(`${line}\n`) }),
    });
  if (game === 'seven-days-to-die') return startSevenDays({ ...options, noiseEveryMs: 30_000 });
  if (game === 'palworld') return startPalworld(options);
  return startArk({ ...options, variant: game === 'ark-se' ? 'se' : 'asa', keepAliveEveryMs: 10_000 });
};

const isPiped = (): boolean => {
  const stdin = fstatSync(0);
  return stdin.isFIFO() || stdin.isSocket();
};

await runProgram(
  async ({ resources, stopping, stop }) => {
    const password = readPassword();
    if (password === '' && game !== 'seven-days-to-die')
      throw new StartupError('This game needs a password: set GAME_PASSWORD or --password-file.');
    const simulator = resources.use(
      await start({ port, password, ...(logFile === undefined ? {} : { logFile }) }).catch((error) => {
        throw new StartupError(`The simulator cannot start: ${error.message}`, { cause: error });
      }),
    );
    simulator.world.onShutdown = () => stop('its console told it to');
    joinFirst(simulator.world, players);
    if (busy) void keepBusy(simulator.world, busyEveryMs, stopping);
    if (endsWith !== undefined) {
      const look = () => void (isAlive(endsWith) || stop('the process that it ends with is gone'));
      const looking = setInterval(look, lookEveryMs).unref();
      resources.defer(() => clearInterval(looking));
    }
    if (isPiped()) {
      process.stdin.setEncoding('utf8').on('data', (typed: string) => {
        // Minecraft's own console accepts commands without RCON.
        const isStop = typed.split('\n').some((line) => line.trim() === 'stop');
        if (!('level' in simulator) || !isStop) return;
        simulator.level.save();
        stop('it was typed');
      });
      process.stdin.on('end', () => stop('stdin ended'));
    }
    process.stdout.write(`READY ${JSON.stringify({ game, port: simulator.port })}\n`);
  },
  { log: createLog({ component: 'game-simulator', level: 'warn', fd: 2 }) },
);
