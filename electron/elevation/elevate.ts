/**
 * Makes Windows ask for an administrator's rights for the product's own program: `node elevate.mjs WINDOW ARGUMENT …`. A
 * separate process, since the question blocks its thread, and the shell loads extensions of others.
 * The exit code is the program's, or Windows's number for why it never ran, in a form that no program of ours ends with.
 */
import { join } from 'node:path';
import { product } from '#contracts/kernel/product.ts';
import { asExitCode } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { commandLineText } from '#runtime/windows/command-line-text.ts';
import { runAsAdministrator } from './windows-calls.ts';

const programsFolder = import.meta.dirname;
/** Nothing else is ever elevated from here. */
const program = join(programsFolder, '..', '..', `${product.name}.exe`);

const [owner = '0', ...args] = process.argv.slice(2);
const argumentText = commandLineText(program, args).slice(`"${program}"`.length).trimStart();
const told = runAsAdministrator(programsFolder, program, argumentText, BigInt(owner));
process.exitCode = 'error' in told ? asExitCode(told.error) : told.exitCode;
