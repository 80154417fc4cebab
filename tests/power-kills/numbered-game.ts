import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

// A game that writes numbered chat lines to its console until it is ended, and into the given log; they look like Minecraft's, or
// like ARK's in its log.

const [logFile, game = 'minecraft'] = process.argv.slice(2);
if (logFile) {
  mkdirSync(dirname(logFile), { recursive: true });
  writeFileSync(logFile, '');
}
for (let number = 1; ; number += 1) {
  const line =
    game === 'minecraft'
      ? `[12:00:00] [Server thread/INFO]: <Steve> line ${number}\n`
      : `[2026.01.02-03.04.05:123][ 45]2026.01.02_03.04.05: Steve (Steve): line ${number}\n`;
  process.stdout.write(line);
  if (logFile) appendFileSync(logFile, line);
  await delay(5);
}
