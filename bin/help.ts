/** Output of `kelvin` without a command. */
export const waysToStart = `Kelvin measures AWS Lambda functions, cold and warm, on AWS and on one machine.

  kelvin measure function.zip     measure a function of your own on this machine
  kelvin measure ARN              measure a copy of a deployed function on AWS
  kelvin local                    Rust or Python? measure Kelvin's own functions on this machine

kelvin --help lists every command.
`;

/** The text after the list of commands in `kelvin --help`. */
export const kelvinHelp = `
In Kelvin's repository, run kelvin as: npm run kelvin --
Installed from its package, it needs only Node.js; doctor, local and setup need the repository.

Every command
  kelvin <command> --help         options, with their defaults, and examples
  Results go to stdout (JSON with --json), progress and errors to stderr.
`;

/** Text after the options in `kelvin complete --help`. */
export const completeHelp = `
Examples
  source <(kelvin complete bash)                  in ~/.bashrc
  source <(kelvin complete zsh)                   in ~/.zshrc, after compinit
  kelvin complete fish | source                   in ~/.config/fish/config.fish

The script asks kelvin itself, as "kelvin complete -- <words>", each time that you press Tab.
`;
