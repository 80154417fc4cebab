import { defineWords } from '#contracts/kernel/words.ts';

export const chatFormsWords = defineWords(
  {
    title: 'Chat in the log',
    about:
      'Castellan hears chat as the game writes it: <Steve> hello. Plug-ins that change it need a form for each way in which a line can begin.',
    grammar:
      '{name} is a player who is online, {text} the rest of the line, {any} what changes inside brackets. Example: [{any}] {name}: {text}',
    limits:
      'Nicknames are not heard. A form with {any} may also match lines of other programs that look like chat. Buying by such lines needs the whispered number.',
    forms: 'Forms, one per line',
    never: 'No chat was ever heard on this server.',
    unread: (count: number) =>
      count === 1
        ? '1 line that looks like chat matches no form.'
        : `${count} lines that look like chat match no form.`,
    last: 'The last one:',
    oldAgent:
      'The Game Agent does not read with these forms yet: it is not connected, or an older version that needs an update.',
    test: 'Try on the last lines',
    save: 'Save forms',
    use: 'Add',
    proposals: 'Forms that would read more lines',
    lines: 'The last lines with a player',
    noLines: 'None of the last lines looks like chat. Write something in the game and try again.',
    unreadLine: 'not read',
  },
  {
    title: 'Chat no log',
    about:
      'O Castellan ouve o chat como o jogo o escreve: <Steve> olá. Plug-ins que o mudam precisam de um formato para cada começo de linha.',
    grammar:
      '{name} é um jogador que está online, {text} o resto da linha, {any} o que muda entre colchetes. Exemplo: [{any}] {name}: {text}',
    limits:
      'Apelidos não são ouvidos. Um formato com {any} também pode aceitar linhas de outros programas que parecem chat. Comprar por essas linhas exige o número sussurrado.',
    forms: 'Formatos, um por linha',
    never: 'Nenhum chat foi ouvido neste servidor.',
    unread: (count: number) =>
      count === 1
        ? '1 linha que parece chat não corresponde a nenhum formato.'
        : `${count} linhas que parecem chat não correspondem a nenhum formato.`,
    last: 'A última:',
    oldAgent:
      'O agente de jogo ainda não lê com estes formatos: não está conectado ou é uma versão antiga que precisa de atualização.',
    test: 'Testar nas últimas linhas',
    save: 'Salvar formatos',
    use: 'Adicionar',
    proposals: 'Formatos que leriam mais linhas',
    lines: 'As últimas linhas com um jogador',
    noLines: 'Nenhuma das últimas linhas parece chat. Escreva algo no jogo e tente de novo.',
    unreadLine: 'não lida',
  },
);
