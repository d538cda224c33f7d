import { Argument, type Command } from 'commander';
import type { Io } from '../io.ts';

const HELP = `
Save the script where your shell looks for completions:
  bash: offerline completion bash > ~/.local/share/bash-completion/completions/offerline
  zsh:  offerline completion zsh > a folder of $fpath, as _offerline
  fish: offerline completion fish > ~/.config/fish/completions/offerline.fish

Example:
  source <(offerline completion bash)
`;

/** Adds `completion`; its scripts ask `offerline __complete`, which main.ts answers. */
export function define(program: Command, io: Io): void {
  program
    .command('completion')
    .description('Print a script that completes commands, options, operations, parameters, feeds and logins.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', HELP)
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('../completion/scripts.ts');
      io.out(completionScript(shell));
    });
}
