import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { bundlePrograms, programsFolder } from './bundle.ts';
import { packagePortal } from './package/portal.ts';

const sizes = async (): Promise<void> => {
  await bundlePrograms();
  for (const name of await readdir(programsFolder)) {
    const { size } = await stat(join(programsFolder, name));
    process.stdout.write(`${(size / 1024).toFixed(0).padStart(8)} KiB  dist/${name}\n`);
  }
};

interface PortalOptions {
  readonly out: string;
  readonly postgres: boolean;
}

const command = new Command('npm run package --')
  .description('The programs as single files in dist/; or one of them as a folder that runs with Node alone.')
  .action(sizes);
command
  .command('portal')
  .description('the license portal, as a folder that needs neither this repository nor an installation')
  .option('--out <folder>', 'where to; replaced when it holds such a folder already', 'dist-portal')
  .option('--no-postgres', 'leave the Postgres of its own out: PORTAL_DATABASE_URL is then needed')
  .action(async ({ out, postgres }: PortalOptions) => {
    const folder = resolve(out);
    const { hasPostgres } = await packagePortal({ folder, withPostgres: postgres });
    const lacks = hasPostgres ? '' : ', without a Postgres of its own';
    process.stdout.write(`${folder}${lacks}\nnode ${join(folder, 'portal.mjs')} --help\n`);
  });

try {
  await command.parseAsync();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
