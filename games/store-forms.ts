import type { CommandResult } from '#contracts/games.ts';
import type { Game, GameActions, PlayerReference, Rendered, Verdict } from './game.ts';

/** What a template's placeholders stand for; one that is not known is null, and a template that needs it is refused. */
export interface TemplateValues {
  readonly player: string | null;
  readonly platformId: string | null;
  readonly handle: string | null;
  readonly survivorNumber: string | null;
  readonly quantity: number;
  readonly orderId: string;
}

/** What of a command's reply means success or failure: wildcards, in which `*` stands for any text. */
export interface ReplyPatterns {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

export interface KnownItem {
  readonly id: string;
  readonly name: string;
}

/** How a game's own commands are guarded against being carried out twice. */
export type GuardForm = 'namespaced' | 'plain';

/** What the game's own record says of one gift. `refused`: the game tried and gave nothing. */
export type GuardMark = 'given' | 'refused' | 'withdrawn' | 'absent' | 'unreadable';

export interface GuardedGift {
  /** Of the gift: letters, digits and hyphens. */
  readonly id: string;
  readonly give: GameActions['give'];
}

/**
 * A game that remembers ids by itself: the same gift is given at most once however often it is sent, and what became of it
 * can be asked for. An absent mark proves that nothing happened only while the game is known to have run on.
 */
export interface GiveGuard {
  /**
   * Tries whether the game keeps the marks, and leaves none of its own.
   * @param run sends a command on one connection and never rejects
   */
  probe(
    run: (command: string) => Promise<CommandResult>,
  ): Promise<{ readonly form: GuardForm } | { readonly unfit: string }>;
  render(gift: GuardedGift, form: GuardForm): Rendered;
  /** `unproven` is the usual answer where the gift was not made this time: ask for the mark. */
  read(reply: string, gift: GuardedGift): Verdict;
  /** Asks for the mark. */
  readonly query: { command(id: string, form: GuardForm): string; read(reply: string): GuardMark };
  /** Makes sure that it is not given any more, unless it was; ask for the mark afterwards. */
  withdraw(id: string, form: GuardForm): string;
  /** Removes the mark of a gift that is settled. */
  forget(id: string, form: GuardForm): string;
  /** The world's clock, in ticks, 20 a second: it stands while the game is down, and goes back with a lost world. */
  readonly clock: { command(form: GuardForm): string; read(reply: string): number | null };
}

/** What a game can give to those who bought something. */
export interface StoreForms {
  /** Pieces of any item in one command. */
  readonly mostAtOnce: number;
  /** A reply to a gift says whether it was carried out. */
  readonly provesGifts: boolean;
  /** Gifts name the player by the number of the survivor on that server. */
  readonly needsSurvivorNumber: boolean;
  /** Null, or why such an item cannot be given. */
  itemFault(item: string, quality: number | undefined): string | null;
  /** Those that ship, by name. */
  items(): readonly KnownItem[];
  /** No value can add a command or an argument: what could is refused. */
  renderTemplate(template: string, values: TemplateValues): Rendered;
  /**
   * A value of the template, such as a name, can fake no reply. Patterns stand for whole lines and may hold placeholders.
   * Without a pattern of success an answer that is no failure is `unproven`.
   */
  readTemplateReply(reply: string, patterns: ReplyPatterns, values: TemplateValues): Verdict;
  /** The reference as this game's gifts need it, from what is known of a player. */
  referenceOf(values: TemplateValues): PlayerReference;
  readonly guard: GiveGuard | null;
}

/** A game's adapter with what the store needs of it. */
export interface SoldGame extends Game {
  readonly store: StoreForms;
}
