import { runCommandLine } from './command-line.ts';

process.exitCode = await runCommandLine({
  args: process.argv.slice(2),
  variables: process.env,
  programsFolder: import.meta.dirname,
});
