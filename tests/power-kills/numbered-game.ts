import { setTimeout as delay } from 'node:timers/promises';

// A game that writes numbered lines of chat to its console until it is ended; they look like Minecraft's.

for (let number = 1; ; number += 1) {
  process.stdout.write(`[12:00:00] [Server thread/INFO]: <Steve> line ${number}\n`);
  await delay(5);
}
