import { defineWords } from '../../language/define-words.ts';

export const eventsWords = defineWords(
  {
    title: 'Events',
    description: 'What has happened on this installation, as it happens.',
    kind: 'Kind',
    severity: 'Severity',
    server: 'Server',
    when: 'When',
    player: 'Player',
    admin: 'Admin',
    payload: 'Details as they are kept',
    copy: 'Copy the event',
    empty: 'No events yet',
    emptyText: 'As soon as something happens – a server answers, somebody signs in – it shows here.',
  },
  {
    title: 'Eventos',
    description: 'O que aconteceu nesta instalação, no momento em que acontece.',
    kind: 'Tipo',
    severity: 'Importância',
    server: 'Servidor',
    when: 'Quando',
    player: 'Jogador',
    admin: 'Administrador',
    payload: 'Detalhes como estão guardados',
    copy: 'Copiar o evento',
    empty: 'Nenhum evento ainda',
    emptyText: 'Assim que algo acontecer – um servidor responder, alguém entrar – aparecerá aqui.',
  },
);
