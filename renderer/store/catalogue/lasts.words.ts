import { defineWords } from '#contracts/kernel/words.ts';

export const lastsWords = defineWords(
  {
    on: {
      item: 'Deliver daily for a limited time',
      command: 'Limited time',
      role: 'Limited time',
    },
    help: {
      item: 'One per day in the community’s time zone. Missed days don’t add up.',
      command: 'When the time ends, the removal command runs once, even if the player is offline.',
      role: 'When the time ends, the role is removed.',
    },
    amount: 'Duration',
    unit: 'Unit',
    key: 'Shared name',
    keyHelp: 'Products with the same name here extend each other.',
    keyShape: 'Lower-case letters, digits, and : . _ -',
    extends: 'Buying again adds time',
    extendsHelp: 'If off, the time restarts with the new purchase, and the later end applies.',
    taken: 'Replies that confirm removal',
    takenHelp: 'One per line; * stands for any text. If empty, any reply counts.',
    whitelist: {
      add: 'Add whitelist entry',
      strict: 'As soon as one player is whitelisted, no one else can join.',
      needs: (option: string) => `The game uses this list only if the server runs with ${option}.`,
    },
  },
  {
    on: {
      item: 'Entregar todo dia por tempo limitado',
      command: 'Por tempo limitado',
      role: 'Por tempo limitado',
    },
    help: {
      item: 'Um por dia no fuso horário da comunidade. Dias perdidos não se acumulam.',
      command:
        'Quando o prazo termina, o comando de remoção é executado uma vez, mesmo com o jogador offline.',
      role: 'Quando o prazo termina, o cargo é removido.',
    },
    amount: 'Duração',
    unit: 'Unidade',
    key: 'Nome em comum',
    keyHelp: 'Produtos com o mesmo nome aqui prolongam uns aos outros.',
    keyShape: 'Letras minúsculas, dígitos e : . _ -',
    extends: 'Comprar de novo soma tempo',
    extendsHelp: 'Se desativado, o prazo recomeça na nova compra, e vale o fim mais tardio.',
    taken: 'Respostas que confirmam a remoção',
    takenHelp: 'Uma por linha; * vale por qualquer texto. Se vazio, qualquer resposta vale.',
    whitelist: {
      add: 'Adicionar entrada na whitelist',
      strict: 'Assim que um jogador entra na whitelist, ninguém mais consegue entrar.',
      needs: (option) => `O jogo só usa esta lista se o servidor roda com ${option}.`,
    },
  },
);
