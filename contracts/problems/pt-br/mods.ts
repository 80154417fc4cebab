import type { modProblems } from '../mods.ts';
import type { ProblemTexts } from '../problem-entry.ts';

export const modProblemsPtBr: Readonly<Record<keyof typeof modProblems, ProblemTexts>> = {
  MODS_AGENT_AWAY: {
    title: 'Sem agente de jogo',
    meaning: 'Só um agente ao lado do jogo pode alterar os mods, e nenhum está conectado a este servidor.',
    remedy: 'Instale um agente para o servidor ou inicie o que já existe.',
  },
  MODS_AGENT_TOO_OLD: {
    title: 'Agente de jogo antigo demais',
    meaning: 'O agente deste servidor ainda não sabe alterar mods.',
    remedy: 'Instale o agente que esta versão do Castellan oferece.',
  },
  MODS_NOT_ALLOWED: {
    title: 'Não permitido na máquina do jogo',
    meaning: 'A máquina em que o jogo roda não deixa o Castellan alterar os mods.',
    remedy: 'Execute `castellan-agent setup` nessa máquina e permita alterações de mods.',
  },
  MODS_NO_FOLDER: {
    title: 'Pasta do servidor desconhecida',
    meaning: 'O agente de jogo não sabe em que pasta fica o servidor.',
    remedy: 'Execute `castellan-agent setup` nessa máquina.',
  },
  MODS_NO_LOADER: {
    title: 'Sem carregador de mods',
    meaning: 'Este servidor de Minecraft roda sem carregador: não aceita mods nem plugins.',
    remedy: 'Antes, instale Fabric, Quilt, Forge, NeoForge ou Paper no servidor.',
  },
  MODS_NO_MARK: {
    title: 'Sem lugar para mods no comando de início',
    meaning: 'O jogo recebe os mods pelo comando de início, e o comando não tem lugar para eles.',
    remedy:
      'Coloque `{mods}` onde a lista deve ficar no comando de início do config.json do agente, como `-mods={mods}`.',
  },
  MODS_FOLDER_READ_ONLY: {
    title: 'Não é possível gravar na pasta do servidor',
    meaning: 'Não é possível gravar mods na pasta do servidor de jogo.',
    remedy: 'Dê à conta que o detalhe indica o direito de gravar nessa pasta.',
  },
  MODS_GAME_RUNNING: {
    title: 'O jogo está rodando',
    meaning: 'O jogo está rodando, e o Castellan não pode desligá-lo e ligá-lo.',
    remedy: 'Desligue o jogo e tente de novo, ou permita que o Castellan o ligue e desligue.',
  },
  MODS_BUSY: {
    title: 'Outra alteração de mods em andamento',
    meaning: 'Os mods deste servidor já estão sendo alterados.',
    remedy: 'Espere até que termine, ou cancele. Este pedido não alterou nada.',
  },
  MODS_NOT_CANCELLABLE: {
    title: 'Tarde demais para cancelar',
    meaning: 'A alteração terminou, ou os arquivos antigos já estão sendo substituídos.',
    remedy: 'Espere até que termine e depois desfaça.',
  },
  MOD_PLAN_OUTDATED: {
    title: 'O plano está desatualizado',
    meaning: 'Os mods do servidor mudaram desde que o plano foi feito, ou ele tem mais de 30 minutos.',
    remedy: 'Faça o plano de novo e confira-o.',
  },
  MOD_PLAN_BLOCKED: {
    title: 'O plano não pode ser executado',
    meaning: 'Algo impede o plano, como um conflito ou um arquivo que você mesmo precisa baixar.',
    remedy: 'O plano diz cada obstáculo e o que o remove.',
  },
  MOD_JOB_NOT_UNDOABLE: {
    title: 'Não é possível desfazer',
    meaning: 'A alteração não aconteceu, ou os mods foram alterados de novo depois.',
    remedy: 'Antes, desfaça a alteração mais recente, ou escolha as versões manualmente.',
  },
  MOD_UPLOAD_INCOMPLETE: {
    title: 'O envio não está completo',
    meaning: 'Faltam partes do arquivo enviado.',
    remedy: 'Envie o arquivo de novo.',
  },
  MOD_UPLOAD_OUT_OF_ORDER: {
    title: 'Parte de um envio fora de ordem',
    meaning: 'As partes de um envio vêm uma após a outra, e esta não segue a última.',
    remedy: 'Continue depois do que já chegou ou envie o arquivo de novo.',
  },
  MOD_UPLOADS_FULL: {
    title: 'Sem espaço para envios',
    meaning: 'Os mods enviados ocupam todo o espaço reservado para eles.',
    remedy: 'Espere até que os envios em andamento cheguem aos servidores, ou dê mais espaço ao disco.',
  },
  MOD_SOURCE_AWAY: {
    title: 'A fonte não responde',
    meaning: 'Não foi possível acessar a fonte de mods, ou não se entende a resposta dela.',
    remedy: 'Tente mais tarde; o que está instalado continua funcionando.',
  },
  MOD_SOURCE_LIMITED: {
    title: 'Consultas demais à fonte',
    meaning: 'A fonte de mods não aceita mais consultas por um tempo.',
    remedy: 'Tente de novo em alguns minutos; o que está instalado continua funcionando.',
  },
  MOD_SOURCE_NO_KEY: {
    title: 'Sem chave para esta fonte',
    meaning: 'O CurseForge exige uma chave sua, e ainda não há nenhuma.',
    remedy: 'Obtenha uma chave em console.curseforge.com e coloque-a em Configurações, Serviços externos.',
  },
  MOD_SOURCE_KEY_REFUSED: {
    title: 'A chave foi recusada',
    meaning: 'O CurseForge não aceita a sua chave.',
    remedy: 'Compare a chave em Configurações, Serviços externos, com a de console.curseforge.com.',
  },
};
