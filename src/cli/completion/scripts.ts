/** Each script asks the hidden `__complete` for the words that fit; without any, files are offered. */
const SCRIPTS = {
  // bash takes "=" and ":" for ends of words: they are put together again, and only what follows the last one is answered.
  bash: `_offerline() {
  local word text='' glued=() at
  for ((at = 1; at <= COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ $at -gt 1 && ( $word == [=:] || $text == *[=:] && \${COMP_WORDS[at-1]} == [=:] ) ]]; then
      text+=$word
      glued[\${#glued[@]}-1]=$text
    else
      text=$word
      glued+=("$text")
    fi
  done
  local prefix=''
  [[ $text == *[=:]* ]] && prefix=\${text%"\${text##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r word; do
    [[ -n $word ]] && COMPREPLY+=("\${word#"$prefix"}")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${glued[@]}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _offerline offerline`,
  zsh: `#compdef offerline
_offerline() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "\${found[*]}" ]]; then _files; return; fi
  compadd -S '' -- "\${(@M)found:#*=}"
  compadd -- "\${(@)found:#*=}"
}
compdef _offerline offerline`,
  fish: `function __offerline_complete
  set -l words (commandline -opc)
  set -l program $words[1]
  set -e words[1]
  $program __complete -- $words (commandline -ct) 2>/dev/null
end
complete -c offerline -a '(__offerline_complete)'`,
};

/** The completion script of a shell. */
export function completionScript(shell: keyof typeof SCRIPTS): string {
  return SCRIPTS[shell];
}
