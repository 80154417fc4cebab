import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';

// A simulated Minecraft that loads the mods of the folder it is started in. A mod whose name begins with Crash ends it, as Fabric does
// with incompatible mods.

mkdirSync('mods', { recursive: true });
const mods = readdirSync('mods').sort();
const wrong = mods.find((name) => name.startsWith('Crash'));
if (wrong !== undefined) {
  process.stdout.write(
    `[12:00:00] [main/ERROR]: Incompatible mods found!\n\t - ${wrong} needs what is not there\n`,
  );
  process.exit(1);
}
writeFileSync('../loaded.json', JSON.stringify(mods));
await import('../simulators/main.ts');
