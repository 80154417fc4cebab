import type { LicenseState, LicenseStatus } from '#contracts/license/license-state.ts';
import { demandDataFolder } from '#runtime/folder-check/demand-folder.ts';
import { makeHome } from '#runtime/home.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import { keyAmongArguments, readLicenseKey } from '#runtime/license/read-license-key.ts';
import { createLog } from '#runtime/log.ts';
import { printable } from '#runtime/printable.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { readLicenseServer } from '../first-start/license-server.ts';
import type { CommandContext, JsonOption } from './command-context.ts';
import { CommandFailure, type ExitCode, exitCodes } from './exit-codes.ts';
import { readInstallation } from './installation.ts';
import type { Terminal } from './terminal.ts';

/**
 * `castellan license activate`; works before the first start, and beside a running stack, which sees it immediately.
 * @param given a key from the arguments, where other accounts can read it; asked for, or read from stdin, when absent
 */
export const activateLicense = async (
  context: CommandContext,
  given: string | undefined,
  option: JsonOption,
): Promise<ExitCode> => {
  const { home, programsFolder, variables, terminal } = context;
  if (given !== undefined) terminal.complain(keyAmongArguments);
  const key = given ?? (await readLicenseKey());
  if (key === '')
    throw new CommandFailure('Enter the license key when asked, or send it on stdin.', exitCodes.usage);
  for (const words of await demandDataFolder(home, { variables, programsFolder })) terminal.complain(words);
  await makeHome(home);
  const said = await ensureEnv(home, await readLicenseServer(programsFolder));
  // Separate from the answer, which may be JSON.
  for (const words of said) terminal.complain(words);
  await using client = await openClient(home);
  const activation = await client.activate(key);
  if (activation.outcome !== 'activated') throw new CommandFailure(activation.detail);
  return tell(client.status(), terminal, option);
};

/** `castellan license check`: asks the portal now; a running stack sees the result. */
export const checkLicense = async (
  { home, terminal }: CommandContext,
  option: JsonOption,
): Promise<ExitCode> => {
  await using client = await openClient(home);
  await client.checkNow();
  const status = client.status();
  const exitCode = tell(status, terminal, option);
  if (status.notSaved !== undefined)
    throw new CommandFailure(`The portal answered, but the answer could not be saved: ${status.notSaved}`);
  return exitCode;
};

/** `castellan license status`: what license.json says, without asking the portal. */
export const licenseStatus = async (
  { home, terminal }: CommandContext,
  option: JsonOption,
): Promise<ExitCode> => {
  await using client = await openClient(home);
  return tell(client.status(), terminal, option);
};

/** Without checks of its own; the commands print the result themselves. */
export const openClient = async (home: string): Promise<LicenseClient> =>
  openLicenseFromConfig(await readInstallation(home), {
    home,
    log: createLog({ component: 'castellan', level: 'silent' }),
    scheduled: false,
  });

const tell = (status: LicenseStatus, terminal: Terminal, { json }: JsonOption): ExitCode => {
  terminal.say(json ? JSON.stringify(status, null, 2) : describeLicense(status));
  return exitCodeOf(status.state);
};

const describeLicense = (status: LicenseStatus): string => {
  const facts: readonly (readonly [string, string | null])[] = [
    ['code', status.code],
    ['license', status.licenseId],
    ['plan', status.tier],
    ['features', status.features.join(', ') || null],
    ['ends', status.endsAt === null ? 'never' : (status.endsAt ?? null)],
    ['verified until', status.expiresAt],
    ['grace ends', status.graceEndsAt],
    ['hardware ID (HWID)', status.hwid],
  ];
  return [
    `The license is ${status.state}: ${printable(status.detail)}`,
    ...facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `  ${name.padEnd(18)}  ${printable(value ?? '')}`),
  ].join('\n');
};

/** `castellan license …` ends with the state of the license. */
const licenseExitCodes: Readonly<Record<LicenseState, ExitCode>> = {
  valid: exitCodes.done,
  grace: exitCodes.grace,
  unlicensed: exitCodes.unlicensed,
  rejected: exitCodes.rejected,
};

const exitCodeOf = (state: LicenseState): ExitCode => licenseExitCodes[state];
