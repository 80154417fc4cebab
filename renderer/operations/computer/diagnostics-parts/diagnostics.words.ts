import { defineWords } from '#contracts/kernel/words.ts';

export const diagnosticsWords = defineWords(
  {
    make: 'Create diagnostics bundle',
    makeText:
      'A .zip file with versions, states, settings and recent logs, for the person who helps you. Passwords, keys and tokens are removed.',
    personal:
      'It can contain names (of players, admins, servers and folders), Discord IDs and IP addresses. You choose where to save it and who gets it.',
    making: 'Creating the bundle',
    made: 'Bundle created',
    show: 'Show in folder',
    missing: 'Not included',
    openLogs: 'Open logs folder',
    lines: 'Last log lines',
    log: 'Log',
    logs: { supervisor: 'Supervisor and desktop', postgres: 'Database', api: 'API', bot: 'Discord bot' },
    level: 'Level',
    levels: { warn: 'warnings and errors', error: 'errors' },
    text: 'Contains',
    noLines: 'No lines match.',
    isWrong: 'Having problems?',
    help: 'For support',
  },
  {
    make: 'Criar pacote de diagnóstico',
    makeText:
      'Um arquivo .zip com versões, estados, configurações e logs recentes, para quem ajuda você. Senhas, chaves e tokens são removidos.',
    personal:
      'Ele pode conter nomes (de jogadores, administradores, servidores e pastas), IDs do Discord e endereços IP. Você escolhe onde salvá-lo e quem o recebe.',
    making: 'Criando o pacote',
    made: 'Pacote criado',
    show: 'Mostrar na pasta',
    missing: 'Não incluído',
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
    isWrong: 'Algum problema?',
    help: 'Para o suporte',
  },
);
