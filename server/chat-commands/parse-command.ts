import { textKey, typedText } from './typed-text.ts';

/** Where settings from before a command was added give its word to an older one, the older one keeps it: it stands first. */
export const commandNames = ['shop', 'buy', 'points', 'claim', 'link', 'survivor', 'help', 'redeem'] as const;
export type CommandName = (typeof commandNames)[number];

export interface CommandGrammar {
  readonly prefix: string;
  readonly words: Readonly<Record<CommandName, readonly string[]>>;
}

export interface TypedCommand {
  readonly command: CommandName;
  /** What follows the word, without blanks around it. */
  readonly argument: string;
}

const shape = /^(\S{1,40})(?: (.*))?$/su;

/** Null: the line is no command. */
export const parseCommand = (line: string, { prefix, words }: CommandGrammar): TypedCommand | null => {
  const typed = typedText(line);
  const mark = typedText(prefix);
  if (mark === '' || !typed.startsWith(mark)) return null;
  const [, word = '', argument = ''] = shape.exec(typed.slice(mark.length)) ?? [];
  const key = textKey(word);
  const command = commandNames.find((name) => words[name].some((one) => textKey(one) === key));
  return command ? { command, argument: argument.trim() } : null;
};

/** Whether a line is for Castellan, whatever it asks for: it is not relayed. */
export const beginsWithPrefix = (line: string, prefix: string): boolean =>
  typedText(line).startsWith(typedText(prefix));

/** The number that a question was whispered with. */
export const isNumber = (argument: string): boolean => /^\d{6}$/.test(argument);

export interface TypedPurchase {
  /** A code, a number of the list, or a name. */
  readonly product: string;
  readonly quantity: number;
}

/** Pieces of one order. */
export const mostPieces = 1000;

/** What `buy` may mean, the likeliest first: a product's name may end with a number. */
export const parsePurchase = (argument: string): readonly TypedPurchase[] => {
  const typed = argument.trim();
  if (typed === '') return [];
  const [, product, quantity] = /^(.*\S) x?(\d{1,9})x?$/iu.exec(typed) ?? [];
  const whole = { product: typed, quantity: 1 };
  return product === undefined ? [whole] : [whole, { product, quantity: Number(quantity) }];
};
