import { plural } from '#contracts/language.ts';
import { defineWords } from '../language/define-words.ts';

/** What a person can decide about a delivery, and what comes of it. */
export const deskDecisionsWords = defineWords(
  {
    acts: {
      delivered: 'It has arrived',
      'send-again': 'Send again',
      refund: 'Refund',
      'charge-again': 'Charge again',
    },
    titles: {
      delivered: (count: number) => `Count ${plural.en(count, 'delivery', 'deliveries')} as arrived?`,
      'send-again': (count: number) => `Send ${plural.en(count, 'delivery', 'deliveries')} again?`,
      refund: (count: number) => `Refund ${plural.en(count, 'delivery', 'deliveries')}?`,
      'charge-again': (count: number) => `Charge ${plural.en(count, 'delivery', 'deliveries')} again?`,
    },
    texts: {
      delivered: () => 'Nothing is sent, and no points move. What was refunded already stays refunded.',
      'send-again': () =>
        'The game is told to give it once more. If it had arrived after all, the player has it twice.',
      refund: (points: string) =>
        `${points} go back to who paid. Where the game can do that, it is first told never to give it.`,
      'charge-again': (points: string) =>
        `It was refunded and has arrived all the same. ${points} are taken once more from who paid.`,
    },
    hasDecided: (count: number) => plural.en(count, 'delivery decided', 'deliveries decided'),
    notDone: (count: number) =>
      plural.en(count, 'delivery could not be decided', 'deliveries could not be decided'),
    someDone: (count: number) => `${plural.en(count, 'delivery was', 'deliveries were')} decided.`,
    close: 'Close',
    nameOf: (product: string, member: string) => `${product} for ${member}`,
    ask: 'What do you decide?',
    mayNot: 'Your role does not allow you to decide.',
  },
  {
    acts: {
      delivered: 'Chegou',
      'send-again': 'Enviar de novo',
      refund: 'Reembolsar',
      'charge-again': 'Cobrar de novo',
    },
    titles: {
      delivered: (count: number) => `Considerar ${plural.pt(count, 'entrega', 'entregas')} como recebida?`,
      'send-again': (count: number) => `Enviar ${plural.pt(count, 'entrega', 'entregas')} de novo?`,
      refund: (count: number) => `Reembolsar ${plural.pt(count, 'entrega', 'entregas')}?`,
      'charge-again': (count: number) => `Cobrar ${plural.pt(count, 'entrega', 'entregas')} de novo?`,
    },
    texts: {
      delivered: () =>
        'Nada é enviado, e nenhum ponto se move. O que já foi reembolsado continua reembolsado.',
      'send-again': () =>
        'O jogo recebe a ordem de dar mais uma vez. Se já tinha chegado, o jogador fica com duas.',
      refund: (points: string) =>
        `${points} voltam para quem pagou. Onde o jogo permite, ele antes recebe a ordem de nunca dar o item.`,
      'charge-again': (points: string) =>
        `Foi reembolsado e chegou mesmo assim. ${points} são cobrados mais uma vez de quem pagou.`,
    },
    hasDecided: (count: number) => plural.pt(count, 'entrega decidida', 'entregas decididas'),
    notDone: (count: number) =>
      plural.pt(count, 'entrega não pôde ser decidida', 'entregas não puderam ser decididas'),
    someDone: (count: number) => plural.pt(count, 'entrega foi decidida.', 'entregas foram decididas.'),
    close: 'Fechar',
    nameOf: (product: string, member: string) => `${product} para ${member}`,
    ask: 'O que você decide?',
    mayNot: 'Sua função não permite decidir.',
  },
);
