#include <stdio.h>
#include <unistd.h>
int kept(void);
int main(void)
{
	printf("%d\\n", kept() + access("/none", F_OK));
	return 0;
}
