import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { GivenLine, Product, ProductLine } from '#contracts/store/store.ts';
import type { StoreForms, TemplateValues } from '#games/store-forms.ts';
import type { ApprovalState } from './command-approval.ts';

/** A player with every value known. */
const sampleValues = ({ sample }: StoreForms): TemplateValues => ({
  player: 'Player',
  ...sample,
  survivorNumber: '1',
  quantity: 1,
  orderId: 'order',
});

interface LineRules {
  readonly forms: StoreForms;
  /** Why a role of the Discord server is never given; null also if that is not known. */
  readonly roleFault: (roleId: string) => string | null;
}

/** Why the line can never be given; null if it can. */
export const findLineFault = (line: GivenLine, { forms, roleFault }: LineRules): string | null => {
  if (line.kind === 'item') return forms.itemFault(line.item, line.quality);
  if (line.kind === 'role') return roleFault(line.roleId);
  for (const template of [line.command, line.counterCommand]) {
    if (template === undefined) continue;
    const rendered = forms.renderTemplate(template, sampleValues(forms));
    if ('refused' in rendered) return rendered.refused;
  }
  return null;
};

/** Why lasting lines could not be taken back, or not be told apart; null if they can. */
export const findLastingFault = (lines: readonly ProductLine[]): string | null => {
  const keys = new Set<string>();
  for (const [position, line] of lines.entries()) {
    if (line.kind === 'product' || line.lasts === undefined) continue;
    if (line.kind === 'command' && line.counterCommand === undefined)
      return reasons['line-fault'](position + 1, reasons['lasting-counter-command']);
    if (keys.has(line.lasts.key)) return reasons['line-fault'](position + 1, reasons['lasting-key-twice']);
    keys.add(line.lasts.key);
  }
  return null;
};

/** Facts about items. */
export interface ItemFacts {
  isShipped(game: GameId, id: string): boolean;
  isOwn(game: GameId, id: string): boolean;
  /** A person has seen it arrive. */
  isConfirmed(game: GameId, id: string): boolean;
}

/** What the seller of these lines must know. */
export const findLineNotes = (
  { game, lines }: { readonly game: GameId; readonly lines: readonly ProductLine[] },
  {
    forms,
    roleFault,
    items,
    approval,
  }: LineRules & { readonly items: ItemFacts; readonly approval: ApprovalState | null },
): Product['notes'] =>
  lines.flatMap((line, position): Product['notes'] => {
    const note = (kind: Product['notes'][number]['kind'], detail: string) => ({
      position,
      kind,
      detail,
      reason: reasonOf(detail),
    });
    // The products themselves report on these.
    if (line.kind === 'product') return [];
    const fault = findLineFault(line, { forms, roleFault });
    if (fault !== null) return [note('invalid', fault)];
    if (line.kind === 'command' && approval === 'missing')
      return [note('unapproved', reasons['command-unapproved'])];
    if (line.kind === 'command' && approval === 'ended')
      return [note('approval-ended', reasons['command-approval-ended'])];
    if (line.kind !== 'item' || items.isShipped(game, line.item)) return [];
    // A game that never reports a missing item would cost points and give nothing.
    if (!forms.provesGifts && !items.isConfirmed(game, line.item))
      return [note('unconfirmed-item', reasons['item-unconfirmed'])];
    return items.isOwn(game, line.item) ? [] : [note('unknown-item', reasons['item-unknown'])];
  });
