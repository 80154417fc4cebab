import { maskReply as maskIn, maskSecrets } from '../mask-command.ts';

/** A command run as another player, by the game or EssentialsX. */
const onBehalf = String.raw`^\s*/?(?:(?:[\w-]+:)?(?:e?sudo\s+\S+\s+|execute\s.*\srun\s+))?/?(?:c:)?(?:[\w-]+:)?`;
const command = (words: string) => new RegExp(`${onBehalf}(?:${words})(?=\\s)`, 'i');

/** Commands of AuthMe, nLogin, LoginSecurity, LimboAuth, OpeNLogin and plug-ins that protect operators with a password. */
const secretCommands = [
  command(
    'login|log|l|register|reg|changepassword|changepass|changepw|cp|unregister|unreg|oplogin|opauth|2fa|totp|otp|captcha',
  ),
  command(
    String.raw`(?:authme|nlogin|librelogin|limboauth|openlogin|lac)\s+(?:register|reg|r|password|changepassword|changepass|cp|setpassword|setpass)\s+\S+`,
  ),
  command(String.raw`(?:force(?:register|changepassword|create|login)|op|deop)\s+\S+`),
];

export const maskCommand = (text: string): string => maskSecrets(text, secretCommands);
export const maskReply = (text: string, reply: string): string => maskIn(text, reply, secretCommands);
