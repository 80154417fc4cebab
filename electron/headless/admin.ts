import { adminsHttp } from '#contracts/identity/admins.ts';
import { Secret } from '#runtime/secret.ts';
import type { CommandContext, JsonOption } from './command-context.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import { askLocalApi } from './local-api.ts';
import { askUnseen, firstLineOfStdin } from './typed-secret.ts';

/** Typed without being shown, twice; or the first line of stdin when that is no terminal. Never an argument. */
const readNewPassword = async (): Promise<Secret> => {
  if (!process.stdin.isTTY) return demandText(await firstLineOfStdin());
  const first = await askUnseen('Password: ');
  if ((await askUnseen('Enter it again: ')) !== first)
    throw new CommandFailure('The two entries differ. Run the command again.', exitCodes.usage);
  return demandText(first);
};

const demandText = (password: string): Secret => {
  if (password === '')
    throw new CommandFailure('Enter the password when asked, or send it on stdin.', exitCodes.usage);
  return new Secret(password);
};

/** `castellan admin create`: also creates the first owner. */
export const createAdmin = async (
  { home, terminal }: CommandContext,
  { name, role, json }: JsonOption & { readonly name: string; readonly role: string },
): Promise<void> => {
  const password = (await readNewPassword()).reveal();
  const admin = await askLocalApi(home, adminsHttp.create, { body: { name, password, role } });
  terminal.say(
    json ? JSON.stringify(admin, null, 2) : `${admin.name} can now sign in, with the role ${admin.role}.`,
  );
};

/** `castellan admin reset-password`: ends all sessions of that admin and, unless kept, revokes their API keys. */
export const resetPassword = async (
  { home, terminal }: CommandContext,
  name: string,
  {
    clearTotp = false,
    keepApiKeys = false,
  }: { readonly clearTotp?: boolean; readonly keepApiKeys?: boolean },
): Promise<void> => {
  const { rows } = await askLocalApi(home, adminsHttp.list);
  const wanted = name.normalize('NFC').toLowerCase();
  const admin = rows.find((row) => row.name.normalize('NFC').toLowerCase() === wanted);
  if (!admin) throw new CommandFailure(`There is no admin "${name}".`, 2);
  const password = (await readNewPassword()).reveal();
  await askLocalApi(home, adminsHttp.resetPassword, {
    params: { id: admin.id },
    body: { password, clearTotp, keepApiKeys },
  });
  const keys = keepApiKeys ? 'Their API keys were kept.' : 'Their API keys are revoked.';
  terminal.say(`${admin.name} has a new password and is signed out everywhere. ${keys}`);
};
