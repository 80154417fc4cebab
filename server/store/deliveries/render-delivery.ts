import { reasons } from '#contracts/kernel/reasons.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { GameActions, Verdict } from '#games/game.ts';
import { gameOf } from '#games/games.ts';
import type { TemplateValues } from '#games/store-forms.ts';
import { type DeliveryRow, type Evidence, markIdOf } from './delivery-rows.ts';

type Gift = GameActions['give'];

export const templateValues = (
  { line, order_id }: Pick<DeliveryRow, 'line' | 'order_id'>,
  known: Omit<TemplateValues, 'quantity' | 'orderId'>,
): TemplateValues => ({ ...known, quantity: line.quantity, orderId: order_id });

/** Whether it can be sent only with the survivor number. */
export const needsSurvivorNumber = ({ game, line }: Pick<DeliveryRow, 'game' | 'line'>): boolean =>
  line.kind === 'item'
    ? gameOf(game).store.needsSurvivorNumber
    : line.kind === 'command' && line.command.includes('{survivorNumber}');

/** Whether everything it names about its player is known: a refusal then stays until the player has changed. */
export const knowsAll = ({ line }: Pick<DeliveryRow, 'line'>, values: TemplateValues): boolean =>
  line.kind === 'command'
    ? Object.entries(values).every(([name, value]) => value !== null || !line.command.includes(`{${name}}`))
    : values.player !== null && values.platformId !== null;

const giftOf = ({ game, line }: Pick<DeliveryRow, 'game' | 'line'>, values: TemplateValues): Gift | null =>
  line.kind === 'item'
    ? {
        player: gameOf(game).store.referenceOf(values),
        item: line.item,
        quantity: line.quantity,
        quality: line.quality,
      }
    : null;

/** The command, or why it cannot be rendered. `isFinal`: no other values would help. */
export const renderDelivery = (
  delivery: Pick<DeliveryRow, 'id' | 'game' | 'line' | 'generation'>,
  { values, guard }: Pick<Evidence, 'values' | 'guard'>,
): { readonly command: string } | { readonly refused: string; readonly isFinal: boolean } => {
  const { game, line } = delivery;
  const { store, actions } = gameOf(game);
  const gift = giftOf(delivery, values);
  if (line.kind !== 'item' || !gift) {
    const rendered =
      line.kind === 'command'
        ? store.renderTemplate(line.command, values)
        : { refused: reasons['line-unknown'] };
    return 'refused' in rendered ? { ...rendered, isFinal: false } : rendered;
  }
  const fault = store.itemFault(line.item, line.quality);
  if (fault !== null) return { refused: fault, isFinal: true };
  const rendered =
    guard && store.guard
      ? store.guard.render({ id: markIdOf(delivery), give: gift }, guard.form)
      : (actions.give?.render(gift) ?? { refused: reasons['no-give-command'] });
  return 'refused' in rendered ? { ...rendered, isFinal: false } : rendered;
};

/** What the reply proves; null without a reply. */
export const readDelivery = (
  delivery: Pick<DeliveryRow, 'game' | 'line'>,
  { values, guard }: Pick<Evidence, 'values' | 'guard'>,
  result: Pick<CommandResult, 'outcome' | 'reply'> | null,
): Verdict | null => {
  if (result?.outcome !== 'answered' || result.reply === null) return null;
  const { game, line } = delivery;
  const { store, actions } = gameOf(game);
  const gift = giftOf(delivery, values);
  if (gift && guard && store.guard) return store.guard.read(result.reply, { id: guard.id, give: gift });
  if (gift)
    return (
      actions.give?.read(result.reply, gift) ?? {
        verdict: 'unproven',
        reason: reasons['answer-proves-nothing'],
      }
    );
  return line.kind === 'command'
    ? store.readTemplateReply(result.reply, { success: line.success, failure: line.failure }, values)
    : null;
};

/** Whether a success reply proves success. */
export const canProve = ({ game, line }: Pick<DeliveryRow, 'game' | 'line'>): boolean =>
  line.kind === 'item' ? gameOf(game).store.provesGifts : line.kind === 'command' && line.success.length > 0;
