import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

/** The decisions about a delivery, and their effects. */
export const deskDecisionsWords = defineWords(
  {
    acts: {
      delivered: 'Mark as delivered',
      'send-again': 'Send again',
      refund: 'Refund',
      'charge-again': 'Charge again',
    },
    titles: {
      delivered: (count: number) => `Mark ${plural.en(count, 'delivery', 'deliveries')} as delivered?`,
      'send-again': (count: number) => `Send ${plural.en(count, 'delivery', 'deliveries')} again?`,
      refund: (count: number) => `Refund ${plural.en(count, 'delivery', 'deliveries')}?`,
      'charge-again': (count: number) => `Charge ${plural.en(count, 'delivery', 'deliveries')} again?`,
    },
    texts: {
      delivered: () => 'Nothing is sent or refunded. Earlier refunds stay.',
      'send-again': () =>
        'Castellan sends it once more. If it had arrived after all, the player has it twice.',
      refund: (points: string) =>
        `The payer gets ${points} back. If the game allows it, Castellan first makes sure it is never delivered.`,
      'charge-again': (points: string) =>
        `It was refunded but arrived after all. The payer is charged ${points} again.`,
    },
    hasDecided: (count: number) => plural.en(count, 'delivery resolved', 'deliveries resolved'),
    notDone: (count: number) =>
      plural.en(count, 'delivery could not be resolved', 'deliveries could not be resolved'),
    someDone: (count: number) => `${plural.en(count, 'delivery', 'deliveries')} resolved.`,
    close: 'Close',
    nameOf: (product: string, member: string) => `${product} for ${member}`,
    ask: 'Decision',
    mayNot: 'You don’t have permission to decide.',
  },
  {
    acts: {
      delivered: 'Marcar como entregue',
      'send-again': 'Enviar de novo',
      refund: 'Reembolsar',
      'charge-again': 'Cobrar de novo',
    },
    titles: {
      delivered: (count: number) => `Marcar ${plural.pt(count, 'entrega', 'entregas')} como entregue?`,
      'send-again': (count: number) => `Enviar ${plural.pt(count, 'entrega', 'entregas')} de novo?`,
      refund: (count: number) => `Reembolsar ${plural.pt(count, 'entrega', 'entregas')}?`,
      'charge-again': (count: number) => `Cobrar ${plural.pt(count, 'entrega', 'entregas')} de novo?`,
    },
    texts: {
      delivered: () => 'Nada é enviado nem reembolsado. Reembolsos anteriores continuam.',
      'send-again': () => 'O Castellan envia mais uma vez. Se já tinha chegado, o jogador fica com duas.',
      refund: (points: string) =>
        `Quem pagou recebe ${points} de volta. Se o jogo permitir, o Castellan antes garante que nunca seja entregue.`,
      'charge-again': (points: string) =>
        `Foi reembolsado, mas chegou mesmo assim. ${points} são cobrados de novo de quem pagou.`,
    },
    hasDecided: (count: number) => plural.pt(count, 'entrega resolvida', 'entregas resolvidas'),
    notDone: (count: number) =>
      plural.pt(count, 'entrega não pôde ser resolvida', 'entregas não puderam ser resolvidas'),
    someDone: (count: number) => plural.pt(count, 'entrega foi resolvida.', 'entregas foram resolvidas.'),
    close: 'Fechar',
    nameOf: (product: string, member: string) => `${product} para ${member}`,
    ask: 'Decisão',
    mayNot: 'Você não tem permissão para decidir.',
  },
);
