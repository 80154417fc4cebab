import { appendFileSync } from 'node:fs';
import { joinFirst } from '../../simulators/busy.ts';
import { startMinecraft } from '../../simulators/minecraft-simulator.ts';

/**
 * A game as an agent's holder starts it: it ends at its shutdown command, from its console or typed, and records each command,
 * start and end in a file. Arguments: port, password, record file, initial players, and the file of its world.
 */
const [port = '0', password = '', recordFile = '', players = '0', levelFile] = process.argv.slice(2);
const record = (line: string) => appendFileSync(recordFile, `${line}\n`);
/** Leaves time for the answer of the shutdown command. */
const farewellMs = 50;

const end = (reason: string) => {
  record(`# ${reason}`);
  process.stdout.write('Stopping the server\n');
  process.exit(0);
};
const simulator = await startMinecraft({
  port: Number(port),
  password,
  ...(levelFile !== undefined && { levelFile }),
  quirks: {
    fateOf(command) {
      record(command);
      if (command === 'stop') setTimeout(end, farewellMs, 'ended');
      return 'answer';
    },
  },
});
joinFirst(simulator.world, Number(players));
process.on('SIGTERM', () => end('terminated'));
process.stdin.setEncoding('utf8').on('data', (typed: string) => {
  if (typed.trim() === 'stop') end('ended');
});
record(`# started ${process.pid}`);
process.stdout.write('Done! For help, type "help"\n');
