import { maskReply as maskIn, maskSecrets } from '../mask-command.ts';

/** A command run as another player, by the game or EssentialsX. */
const onBehalf = String.raw`^\s*/?(?:(?:[\w-]+:)?(?:e?sudo\s+\S+\s+|execute\s.*\srun\s+))?/?(?:c:)?(?:[\w-]+:)?`;
const command = (words: string) => new RegExp(`${onBehalf}(?:${words})(?=\\s)`, 'i');

/**
 * Commands of AuthMe (with its Vietnamese aliases), nLogin, LibreLogin, LoginSecurity, LimboAuth, OpeNLogin, EasyAuth
 * (https://github.com/NikitaCartes/EasyAuth/wiki/Permissions), PureAuth, LoginCodes and plug-ins that protect operators with a
 * password.
 */
const secretCommands = [
  command(
    'login|log|l|register|reg|changepassword|changepass|changepw|cp|unregister|unreg|oplogin|opauth|2fa|totp|otp|captcha|setlogin|dangnhap|dangky|dangki|doimatkhau|xoamatkhau',
  ),
  command(
    String.raw`(?:authme|auth|nlogin|librelogin|limboauth|openlogin|pureauth|lac)\s+(?:user\s+)?(?:register|reg|r|update|password|changepassword|changepass|pass-change|cp|setpassword|setpass)\s+\S+`,
  ),
  command(String.raw`auth\s+setglobalpassword`),
  command(String.raw`account\s+(?:unregister|changepassword)`),
  command(String.raw`(?:force(?:register|changepassword|create|login)|setplayerlogin|op|deop)\s+\S+`),
];

export const maskCommand = (text: string): string => maskSecrets(text, secretCommands);
export const maskReply = (text: string, reply: string): string => maskIn(text, reply, secretCommands);
