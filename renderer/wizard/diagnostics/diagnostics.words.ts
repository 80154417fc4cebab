import { defineWords } from '../../language/define-words.ts';

export const diagnosticsWords = defineWords(
  {
    make: 'Make a diagnostics bundle',
    makeText:
      'One .zip for whoever helps you: versions, states, settings without their secrets, the newest part of the logs. Passwords, keys, tokens and the license key are taken out.',
    personal:
      'Names of players, of people who sign in, of game servers and of folders (such as your own user name), ids of Discord and IP addresses can be in it. It goes nowhere by itself: you choose where it is saved, and whom you give it to.',
    making: 'The bundle is being made',
    made: 'The bundle is made',
    show: 'Show it in its folder',
    missing: 'Not in it',
    openLogs: 'Open the logs folder',
    lines: 'Last lines of the log',
    log: 'Log',
    logs: { supervisor: 'Supervisor and desktop', postgres: 'Database', api: 'API', bot: 'Discord bot' },
    level: 'Level',
    levels: { warn: 'warnings and errors', error: 'errors' },
    text: 'Contains',
    noLines: 'There are no such lines.',
    isWrong: 'Is something wrong?',
    help: 'For whoever helps you',
  },
  {
    make: 'Criar um pacote de diagnóstico',
    makeText:
      'Um .zip para quem ajuda você: versões, estados, configurações sem os segredos, a parte mais recente dos logs. Senhas, chaves, tokens e a chave de licença são retirados.',
    personal:
      'Nomes de jogadores, de pessoas que entram no painel, de servidores de jogo e de pastas (como o seu nome de usuário), IDs do Discord e endereços IP podem estar nele. Ele não vai a lugar nenhum sozinho: você escolhe onde é salvo e a quem o entrega.',
    making: 'O pacote está sendo criado',
    made: 'O pacote está pronto',
    show: 'Mostrar na pasta',
    missing: 'Não está no pacote',
    openLogs: 'Abrir a pasta de logs',
    lines: 'Últimas linhas do log',
    log: 'Log',
    logs: {
      supervisor: 'Supervisor e desktop',
      postgres: 'Banco de dados',
      api: 'API',
      bot: 'Bot do Discord',
    },
    level: 'Nível',
    levels: { warn: 'avisos e erros', error: 'erros' },
    text: 'Contém',
    noLines: 'Nenhuma linha corresponde.',
    isWrong: 'Há algo errado?',
    help: 'Para quem ajuda você',
  },
);
