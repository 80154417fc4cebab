import { defineWords } from '#contracts/kernel/words.ts';

/** What went wrong with a page, by the code of its problem: what happened, and what to do. */
export const faultWords = defineWords(
  {
    NOT_FOUND: {
      title: 'Page not found',
      text: 'There is no page at this address. Check the address or go to the start page.',
    },
    CROSS_ORIGIN: {
      title: 'This form is out of date',
      text: 'Nothing was changed. Go back, reload the page and send the form again.',
    },
    INVALID_REQUEST: {
      title: 'The portal could not read your request',
      text: 'Nothing was changed. Go back, check what you typed and try again.',
    },
    PAYLOAD_TOO_LARGE: {
      title: 'Your request is too long',
      text: 'Nothing was changed. Go back, shorten what you typed and try again.',
    },
    RATE_LIMITED: {
      title: 'Too many attempts',
      text: 'Wait a few minutes, then try again.',
    },
    DATABASE_UNAVAILABLE: {
      title: 'The portal is busy',
      text: 'It can’t respond right now. Try again in a minute; your licenses keep working in the meantime.',
    },
    SHUTTING_DOWN: {
      title: 'The portal is restarting',
      text: 'Try again in a minute; your licenses keep working in the meantime.',
    },
    INTERNAL: {
      title: 'Something went wrong',
      text: 'This is an error on our side, and it was logged. Try again; if it happens again, contact the vendor.',
    },
  },
  {
    NOT_FOUND: {
      title: 'Página não encontrada',
      text: 'Não há nenhuma página neste endereço. Confira o endereço ou vá à página inicial.',
    },
    CROSS_ORIGIN: {
      title: 'Este formulário está desatualizado',
      text: 'Nada foi alterado. Volte, recarregue a página e envie o formulário de novo.',
    },
    INVALID_REQUEST: {
      title: 'O portal não conseguiu ler a solicitação',
      text: 'Nada foi alterado. Volte, confira o que você digitou e tente de novo.',
    },
    PAYLOAD_TOO_LARGE: {
      title: 'A solicitação é longa demais',
      text: 'Nada foi alterado. Volte, encurte o que você digitou e tente de novo.',
    },
    RATE_LIMITED: {
      title: 'Tentativas demais',
      text: 'Espere alguns minutos e tente de novo.',
    },
    DATABASE_UNAVAILABLE: {
      title: 'O portal está ocupado',
      text: 'Ele não consegue responder agora. Tente de novo em um minuto; enquanto isso, suas licenças continuam funcionando.',
    },
    SHUTTING_DOWN: {
      title: 'O portal está reiniciando',
      text: 'Tente de novo em um minuto; enquanto isso, suas licenças continuam funcionando.',
    },
    INTERNAL: {
      title: 'Algo deu errado',
      text: 'O erro é nosso e foi registrado. Tente de novo; se continuar, fale com o vendedor.',
    },
  },
);
