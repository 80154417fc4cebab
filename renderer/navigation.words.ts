import { defineWords } from './language/define-words.ts';

/** The names of the pages and of their groups. */
export const navigationWords = defineWords(
  {
    groups: { main: '', game: 'Games', records: 'Records', system: 'System' },
    pages: {
      overview: 'Overview',
      servers: 'Servers',
      clusters: 'Clusters',
      players: 'Players',
      agents: 'Game Agents',
      events: 'Events',
      audit: 'Audit log',
      logs: 'Logs',
      health: 'System health',
      settings: 'Settings',
      secrets: 'Secrets',
      admins: 'Admins',
      roles: 'Roles',
      apiKeys: 'API keys',
      license: 'License',
      profile: 'Your profile',
      firstSteps: 'First steps',
    },
  },
  {
    groups: { main: '', game: 'Jogos', records: 'Registros', system: 'Sistema' },
    pages: {
      overview: 'Visão geral',
      servers: 'Servidores',
      clusters: 'Clusters',
      players: 'Jogadores',
      agents: 'Agentes de jogo',
      events: 'Eventos',
      audit: 'Auditoria',
      logs: 'Logs',
      health: 'Saúde do sistema',
      settings: 'Configurações',
      secrets: 'Segredos',
      admins: 'Administradores',
      roles: 'Funções',
      apiKeys: 'Chaves de API',
      license: 'Licença',
      profile: 'Seu perfil',
      firstSteps: 'Primeiros passos',
    },
  },
);
