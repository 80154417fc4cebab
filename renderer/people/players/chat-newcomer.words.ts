import { defineWords } from '#contracts/kernel/words.ts';

export const chatNewcomerWords = defineWords(
  {
    title: 'Buying and linking by chat',
    isNew: (server: string) =>
      `New on \u2068${server}\u2069: no buying or linking by its chat for 24 hours, or until confirmed with /confirm in Discord or here.`,
    confirm: 'Confirm',
    confirmOn: (server: string) => `Confirm on \u2068${server}\u2069`,
    question: (player: string, server: string) => `Is \u2068${player}\u2069 really on \u2068${server}\u2069?`,
    consequence:
      'Confirm only if you know that this person is playing there now. The chat of that server can then spend their points and link their account.',
    done: (player: string) => `\u2068${player}\u2069 can buy and link by chat now.`,
  },
  {
    title: 'Comprar e vincular pelo chat',
    isNew: (server: string) =>
      `Novo em \u2068${server}\u2069: não compra nem vincula pelo chat por 24 horas, ou até ser confirmado com /confirmar no Discord ou aqui.`,
    confirm: 'Confirmar',
    confirmOn: (server: string) => `Confirmar em \u2068${server}\u2069`,
    question: (player: string, server: string) =>
      `\u2068${player}\u2069 está mesmo em \u2068${server}\u2069?`,
    consequence:
      'Confirme só se você souber que essa pessoa está jogando lá agora. O chat desse servidor poderá gastar os pontos dela e vincular a conta.',
    done: (player: string) => `\u2068${player}\u2069 pode comprar e vincular pelo chat agora.`,
  },
);
