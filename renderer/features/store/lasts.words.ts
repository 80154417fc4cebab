import { defineWords } from '../../language/define-words.ts';

export const lastsWords = defineWords(
  {
    on: {
      item: 'Give it every day for a time',
      command: 'It lasts for a time',
      role: 'It lasts for a time',
    },
    help: {
      item: "One a day, in the community's time zone. Days on which the player stays away do not add up.",
      command: 'At its end, the command that takes it back runs, once, even if the player is away.',
      role: 'At its end, the role is taken back.',
    },
    amount: 'For how long',
    unit: 'Unit',
    key: 'Name of what lasts',
    keyHelp: 'Products with the same name here extend each other.',
    keyShape: 'Small letters, digits, and : . _ -',
    extends: 'Buying it again adds its time',
    extendsHelp: 'Off: it lasts from the new purchase on, and the later end counts.',
    taken: 'Answers that mean it was taken back',
    takenHelp: 'One a line; * stands for any text. Without one, any answer counts.',
    whitelist: {
      add: 'Add a whitelist entry',
      'seven-days-to-die':
        'As soon as one player is on the whitelist of 7 Days to Die, no one else can join.',
      ark: 'ARK reads this list only if the server runs with -exclusivejoin.',
    },
  },
  {
    on: {
      item: 'Dar todos os dias por um tempo',
      command: 'Dura por um tempo',
      role: 'Dura por um tempo',
    },
    help: {
      item: 'Um por dia, no fuso horário da comunidade. Dias em que o jogador não aparece não se acumulam.',
      command: 'No fim, o comando que o retira é executado, uma vez, mesmo se o jogador estiver fora.',
      role: 'No fim, o cargo é retirado.',
    },
    amount: 'Por quanto tempo',
    unit: 'Unidade',
    key: 'Nome do que dura',
    keyHelp: 'Produtos com o mesmo nome aqui prolongam uns aos outros.',
    keyShape: 'Letras minúsculas, dígitos e : . _ -',
    extends: 'Comprar de novo soma o tempo',
    extendsHelp: 'Desligado: dura a partir da nova compra, e vale o fim mais tardio.',
    taken: 'Respostas que significam que foi retirado',
    takenHelp: 'Uma por linha; * vale por qualquer texto. Sem nenhuma, qualquer resposta vale.',
    whitelist: {
      add: 'Adicionar uma entrada na whitelist',
      'seven-days-to-die':
        'Assim que um jogador está na whitelist do 7 Days to Die, ninguém mais consegue entrar.',
      ark: 'O ARK só lê esta lista se o servidor roda com -exclusivejoin.',
    },
  },
);
