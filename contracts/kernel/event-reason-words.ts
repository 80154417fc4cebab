import type { EventPayload } from './event-kinds.ts';

type DeskReason = EventPayload<'delivery.needs-decision'>['reason'];
export const deskReasonsEn: Readonly<Record<DeskReason, string>> = {
  unknown: 'no one can tell whether it arrived',
  'rolled-back': 'it arrived, and the game lost it again',
  contradiction: "the game's answer and its record disagree",
  'late-result': 'a result came after it was decided',
  restored: 'the database was restored, and it may have arrived since',
};
export const deskReasonsPt: Readonly<Record<DeskReason, string>> = {
  unknown: 'não há como saber se chegou',
  'rolled-back': 'chegou, e o jogo a perdeu de novo',
  contradiction: 'a resposta e o registro do jogo se contradizem',
  'late-result': 'um resultado chegou depois da decisão',
  restored: 'o banco de dados foi restaurado, e ela pode ter chegado desde então',
};
type ShopReason = EventPayload<'shop.order-waits'>['reason'];
export const shopReasonsEn: Readonly<Record<ShopReason, string>> = {
  'receiver-missing': 'it names no receiver',
  'receiver-unknown': 'its receiver is not known',
  'receiver-by-name': 'it names a player by name alone',
  'receiver-several': 'it has several receivers',
  'receiver-unseen': 'its player was not seen yet',
  'product-unmapped': 'a product of the shop is not assigned',
  'product-refused': 'the store cannot give it',
  quantity: 'its quantity makes no sense',
  'part-refunded': 'a part of it was refunded',
  'dispute-won': 'its dispute is over',
  contradicts: 'two reports of it contradict each other',
  'test-purchase': 'it is a test purchase, for which no money was paid',
  'refunds-unseen': 'it is a subscription, whose refunds cannot be seen',
  'not-delivered': 'it was not delivered',
  'season-regrant': 'a season gives it again',
  'taking-back': 'it is being taken back',
  refunded: 'it was refunded',
  disputed: 'it is disputed',
  'charged-back': 'the dispute was lost',
  'nothing-to-give': 'there is nothing to give',
};
export const shopReasonsPt: Readonly<Record<ShopReason, string>> = {
  'receiver-missing': 'ele não diz quem recebe',
  'receiver-unknown': 'quem recebe não é conhecido',
  'receiver-by-name': 'ele só diz o nome do jogador',
  'receiver-several': 'ele tem vários destinatários',
  'receiver-unseen': 'o jogador ainda não foi visto',
  'product-unmapped': 'um produto da loja externa não está associado',
  'product-refused': 'a loja não pode entregá-lo',
  quantity: 'a quantidade não faz sentido',
  'part-refunded': 'uma parte dele foi reembolsada',
  'dispute-won': 'a disputa terminou',
  contradicts: 'dois avisos sobre ele se contradizem',
  'test-purchase': 'é uma compra de teste, sem dinheiro',
  'refunds-unseen': 'é uma assinatura, cujos reembolsos não podem ser vistos',
  'not-delivered': 'não foi entregue',
  'season-regrant': 'uma temporada o dá de novo',
  'taking-back': 'está sendo retirado',
  refunded: 'foi reembolsado',
  disputed: 'está em disputa',
  'charged-back': 'a disputa foi perdida',
  'nothing-to-give': 'não há nada para dar',
};
type LastingEnd = EventPayload<'entitlement.ended'>['why'];
export const lastingEndsEn: Readonly<Record<LastingEnd, string>> = {
  time: 'its time was over',
  refunded: 'it was refunded',
  decided: 'an admin ended it',
};
export const lastingEndsPt: Readonly<Record<LastingEnd, string>> = {
  time: 'o tempo acabou',
  refunded: 'foi reembolsado',
  decided: 'um administrador o encerrou',
};
