import { plural } from '#contracts/kernel/language.ts';
import { product } from '#contracts/kernel/product.ts';
import { defineWords } from '#contracts/kernel/words.ts';

/** Mails that contain a code. */
export const lettersWords = defineWords(
  {
    signIn: {
      subject: `Your ${product.name} sign-in code`,
      why: 'Someone asked to sign in to the customer area with this e-mail address. Your code is:',
      use: (minutes: number) =>
        `It works once, for ${plural.en(minutes, 'minute', 'minutes')}, only in the browser or program where it was requested. We never ask you for it.`,
      notYou: 'If this was not you, ignore this e-mail: no one can sign in without the code.',
    },
    shared: {
      why: 'Too many codes were requested for this e-mail address within an hour, so we no longer send one for each request.',
      code: 'Use this code wherever you requested one for this address:',
      use: (minutes: number) =>
        `It works once, for ${plural.en(minutes, 'minute', 'minutes')}. We never ask you for it.`,
      notYou: 'If you did not request it, ignore this e-mail: no one can sign in without the code.',
    },
    reveal: {
      subject: `Your code to show a ${product.name} license key`,
      why: (maskedKey: string) =>
        `Someone asked to see the license key ${maskedKey} in your customer area. Your code is:`,
      use: (minutes: number) => `It works once, for ${plural.en(minutes, 'minute', 'minutes')}.`,
      notYou:
        'If this was not you, don’t share the code. Sign in to the customer area and choose “Sign out everywhere” under Sessions.',
    },
  },
  {
    signIn: {
      subject: `Seu código para entrar no ${product.name}`,
      why: 'Alguém pediu para entrar na área do cliente com este endereço de e-mail. Seu código é:',
      use: (minutes: number) =>
        `Ele vale uma vez, por ${plural.pt(minutes, 'minuto', 'minutos')}, só no navegador ou programa em que foi pedido. Nunca pedimos esse código a você.`,
      notYou: 'Se não foi você, ignore este e-mail: ninguém entra sem o código.',
    },
    shared: {
      why: 'Foram pedidos códigos demais para este endereço de e-mail em uma hora; por isso não enviamos mais um por pedido.',
      code: 'Use este código onde quer que tenha pedido um para este endereço:',
      use: (minutes: number) =>
        `Ele vale uma vez, por ${plural.pt(minutes, 'minuto', 'minutos')}. Nunca pedimos esse código a você.`,
      notYou: 'Se não foi você, ignore este e-mail: ninguém entra sem o código.',
    },
    reveal: {
      subject: `Seu código para mostrar uma chave de licença do ${product.name}`,
      why: (maskedKey: string) =>
        `Alguém pediu para ver a chave de licença ${maskedKey} na sua área do cliente. Seu código é:`,
      use: (minutes: number) => `Ele vale uma vez, por ${plural.pt(minutes, 'minuto', 'minutos')}.`,
      notYou:
        'Se não foi você, não compartilhe o código com ninguém. Entre na área do cliente e escolha “Sair de todos os lugares” em Sessões.',
    },
  },
);
