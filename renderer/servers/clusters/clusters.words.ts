import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const clustersWords = defineWords(
  {
    title: 'Clusters',
    description: 'Servers that belong together, each with its own map.',
    limit: (used: number, max: number) =>
      `${used} of ${plural.en(max, 'cluster', 'clusters')} included in your plan.`,
    name: 'Name',
    descriptionField: 'Description',
    servers: 'Servers',
    serverCount: (count: number) => plural.en(count, 'server', 'servers'),
    unknown: 'unknown',
    created: 'Created',
    state: 'State',
    inUse: 'In use',
    archived: 'Archived',
    all: 'Show archived',
    create: 'New cluster',
    change: 'Edit cluster',
    archive: 'Archive',
    archiveMany: (count: number) =>
      `This archives ${plural.en(count, 'cluster', 'clusters')}. You can restore them later. Clusters with active servers are skipped.`,
    restore: 'Restore',
    theirs: 'Another person saved this cluster while you were editing',
    noDescription: 'No description',
    empty: 'No clusters yet',
    emptyText: 'A cluster groups game servers. Create one to add your first server.',
  },
  {
    title: 'Clusters',
    description: 'Servidores que andam juntos, cada um com o seu mapa.',
    limit: (used: number, max: number) =>
      `${used} de ${plural.pt(max, 'cluster incluído', 'clusters incluídos')} no seu plano.`,
    name: 'Nome',
    descriptionField: 'Descrição',
    servers: 'Servidores',
    serverCount: (count: number) => plural.pt(count, 'servidor', 'servidores'),
    unknown: 'desconhecido',
    created: 'Criado',
    state: 'Estado',
    inUse: 'Em uso',
    archived: 'Arquivado',
    all: 'Mostrar arquivados',
    create: 'Novo cluster',
    change: 'Editar cluster',
    archive: 'Arquivar',
    archiveMany: (count: number) =>
      `Isto arquiva ${plural.pt(count, 'cluster', 'clusters')}. Você pode restaurá-los depois. Clusters com servidores em uso são ignorados.`,
    restore: 'Restaurar',
    theirs: 'Outra pessoa salvou este cluster enquanto você editava',
    noDescription: 'Sem descrição',
    empty: 'Nenhum cluster ainda',
    emptyText: 'Um cluster reúne servidores de jogo. Crie um para adicionar seu primeiro servidor.',
  },
);
