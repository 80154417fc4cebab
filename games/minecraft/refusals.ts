import type { Refusal } from '../reply-reading.ts';

const failed = (sign: RegExp, reason: string): Refusal => ({ sign, verdict: 'failed', reason });

/** The game could not read the command. */
export const syntaxRefusals: readonly Refusal[] = [
  failed(/Unknown or incomplete command/, 'The game does not know this command.'),
  failed(/Unknown command/, 'The game does not know this command.'),
  failed(/Incorrect argument for command/, 'The game does not understand this command.'),
  failed(
    /Expected (?:whitespace|value|quote|literal|integer|end of)/,
    'The game does not understand this command.',
  ),
  failed(/The number you have entered \(/, 'The game does not take this amount.'),
  failed(/Integer must not be (?:more|less) than /, 'The game does not take this amount.'),
  failed(/^[^\n]*<--\[HERE\]$/m, 'The game does not understand this command.'),
];

/** Nobody of that name is on the server now; since 1.13, before, 1.8, and where EssentialsX stands in. */
export const absentRefusals: readonly Refusal[] = [
  /No player was found$/,
  /No entity was found$/,
  /Player '[^']*' cannot be found$/,
  /That player cannot be found$/,
  /(?:Error: )?Player not found\.?$/,
].map((sign) => ({ sign, verdict: 'later', reason: 'The player is not on the server.' }));

/** Nobody of that name is known at all. */
export const unknownPlayerRefusal: Refusal = failed(
  /That player does not exist$/,
  'Minecraft knows no player of this name.',
);
