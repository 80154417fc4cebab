import { plural } from '#contracts/kernel/language.ts';
import { product } from '#contracts/kernel/product.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const transferMailsWords = defineWords(
  {
    requested: {
      subject: `Transfer of your ${product.name} license requested`,
      what: (maskedKey: string, moment: string) =>
        `On ${moment}, a transfer of the license ${maskedKey} to the machine with this hardware ID (HWID) was requested:`,
      next: 'Now activate the license on that machine. Until then, the old machine keeps working, and you can correct or cancel the transfer in the customer area for free.',
    },
    completed: {
      subject: `Your ${product.name} license has moved to another machine`,
      what: (maskedKey: string, moment: string) =>
        `On ${moment}, the license ${maskedKey} was activated on the machine with this hardware ID (HWID):`,
      next: (days: number) =>
        `The old machine is rejected at its next check. One transfer is free every ${plural.en(days, 'day', 'days')}.`,
    },
    notYou:
      'If this was not you, sign in to the customer area immediately, choose “Sign out everywhere” under Sessions, and contact your vendor.',
  },
  {
    requested: {
      subject: `Transferência da sua licença do ${product.name} solicitada`,
      what: (maskedKey: string, moment: string) =>
        `Em ${moment}, foi solicitada uma transferência da licença ${maskedKey} para a máquina com este ID de hardware (HWID):`,
      next: 'Agora ative a licença nessa máquina. Até lá, a máquina antiga continua funcionando, e você pode corrigir ou cancelar a transferência de graça na área do cliente.',
    },
    completed: {
      subject: `Sua licença do ${product.name} mudou de máquina`,
      what: (maskedKey: string, moment: string) =>
        `Em ${moment}, a licença ${maskedKey} foi ativada na máquina com este ID de hardware (HWID):`,
      next: (days: number) =>
        `A máquina antiga é rejeitada na próxima verificação. Uma transferência é gratuita a cada ${plural.pt(days, 'dia', 'dias')}.`,
    },
    notYou:
      'Se não foi você, entre imediatamente na área do cliente, escolha “Sair de todos os lugares” em Sessões e fale com o seu vendedor.',
  },
);
