import { defineWords } from '#contracts/kernel/words.ts';

export const unheardChatWords = defineWords(
  {
    title: 'No chat was ever heard on these servers',
    text: 'If players write there, a plug-in may change the chat, or no Game Agent reads the log.',
  },
  {
    title: 'Nenhum chat foi ouvido nestes servidores',
    text: 'Se há jogadores escrevendo ali, um plug-in pode mudar o chat, ou nenhum agente de jogo lê o log.',
  },
);
