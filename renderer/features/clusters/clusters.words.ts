import { defineWords, plural } from '../../language/define-words.ts';

export const clustersWords = defineWords(
  {
    title: 'Clusters',
    description: 'Servers that belong together: a map each, one community.',
    limit: (used: number, max: number) =>
      `${used} of ${plural.en(max, 'cluster', 'clusters')} that the license allows.`,
    name: 'Name',
    descriptionField: 'Description',
    servers: 'Servers',
    created: 'Made',
    state: 'State',
    inUse: 'In use',
    archived: 'Archived',
    all: 'With archived ones',
    create: 'New cluster',
    change: 'Change the cluster',
    archive: 'Archive',
    archiveQuestion: (name: string) => `Archive ${name}?`,
    archiveText: 'Its history stays readable, and it can be restored. It must hold no servers in use.',
    archiveMany: (count: number) =>
      `${plural.en(count, 'cluster goes', 'clusters go')} into the archive. They can be restored.`,
    restore: 'Restore',
    empty: 'No cluster yet',
    emptyText: 'A cluster holds game servers. Make one to add your first server to it.',
  },
  {
    title: 'Clusters',
    description: 'Servidores que pertencem juntos: cada um um mapa, uma só comunidade.',
    limit: (used: number, max: number) =>
      `${used} de ${plural.pt(max, 'cluster', 'clusters')} que a licença permite.`,
    name: 'Nome',
    descriptionField: 'Descrição',
    servers: 'Servidores',
    created: 'Criado',
    state: 'Estado',
    inUse: 'Em uso',
    archived: 'Arquivado',
    all: 'Com os arquivados',
    create: 'Novo cluster',
    change: 'Alterar o cluster',
    archive: 'Arquivar',
    archiveQuestion: (name: string) => `Arquivar ${name}?`,
    archiveText: 'O histórico continua legível, e ele pode ser restaurado. Não pode ter servidores em uso.',
    archiveMany: (count: number) =>
      `${plural.pt(count, 'cluster vai', 'clusters vão')} para o arquivo. Podem ser restaurados.`,
    restore: 'Restaurar',
    empty: 'Nenhum cluster ainda',
    emptyText: 'Um cluster reúne servidores de jogo. Crie um para adicionar seu primeiro servidor.',
  },
);
