import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { readHolderRecord } from '../holder/holder-record.ts';
import { startTestPower } from './test-power.ts';

// Runs as an account that may not inspect its own game: kills the holder, starts and stops. Prints what it saw as JSON.

const [folder = ''] = process.argv.slice(2);
const it = await startTestPower({ folder, command: ['./gamed', '1000'] });
const started = await it.act('start');
const record = await readHolderRecord(it.powerFolder);
if (!record?.game) throw new Error('no game');
const { holder, game } = record;
process.kill(holder.pid, 'SIGKILL');
const lookWithout = async () => {
  for (let tries = 1; ; tries += 1) {
    const seen = await it.way.look();
    // The holder is still dying.
    const isEarly = seen.is === 'unknown' || (seen.is === 'running' && seen.detail === null);
    if (!isEarly || tries > 200) return seen;
    await delay(20);
  }
};
const without = await lookWithout();
const again = await it.act('start');
const games = () => {
  try {
    return execFileSync('pgrep', ['-f', `^${folder}/gamed 1000$`], { encoding: 'utf8' })
      .trim()
      .split('\n');
  } catch {
    return [];
  }
};
const running = games();
const stopped = await it.act('kill');
process.stdout.write(JSON.stringify({ started, game, without, again, running, stopped, left: games() }));
await it[Symbol.asyncDispose]();
